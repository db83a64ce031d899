import { serveAudit } from "@/lib/queries/accounts/pages";

export const GET = () => serveAudit();
