import { serveOpenApi } from "@/lib/pages/api/lists";

export const GET = (request: Request) => serveOpenApi(request);
