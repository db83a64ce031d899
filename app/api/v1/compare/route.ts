import { serveComparison } from "@/lib/pages/api/lists";

export const GET = (request: Request) => serveComparison(request);
