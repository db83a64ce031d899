import { serveAudit } from "@/lib/pages/accounts/pages";

export const GET = () => serveAudit();
