/** The API for notebooks: what each address answers with, as schemas and as the OpenAPI document. This file is the only entrance. */
export { API_LIMITS, prepareOpenApi } from "./openapi";
export { API_SCHEMAS } from "./schemas";
