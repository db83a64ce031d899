import { serveOpenApi } from "@/lib/queries/api/lists";

export const GET = (request: Request) => serveOpenApi(request);
