/** The API for notebooks: response schemas and the OpenAPI document. Import from this file only. */
export { API_SCHEMAS, prepareOpenApi } from "./schemas";
