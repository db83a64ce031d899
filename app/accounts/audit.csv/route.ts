import { serveAudit } from "@/lib/queries/accounts/pages";

/** The audit log as CSV. */
export const GET = () => serveAudit();
