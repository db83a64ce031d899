import { serveComparison } from "@/lib/queries/api/lists";

/** Groups compared. */
export const GET = (request: Request) => serveComparison(request);
