import { serveComparison } from "@/lib/queries/api/lists";

export const GET = (request: Request) => serveComparison(request);
