/** The API for notebooks: response schemas and the OpenAPI document. Import from this file only. */
export { prepareOpenApi } from "./openapi";
export { API_SCHEMAS } from "./schemas";
