import { serveOpenApi } from "@/lib/queries/api/lists";

/** The OpenAPI document of the API. */
export const GET = (request: Request) => serveOpenApi(request);
