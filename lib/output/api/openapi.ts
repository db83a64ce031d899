import { z } from "zod";

import { API_ENDPOINTS, type ApiEndpoint } from "@/lib/core/domain/api-endpoints";

import { API_SCHEMAS, type ApiSchemaName } from "./schemas";

/** Returns the OpenAPI 3.1 document of the API. @param version - Assay's own */
export function prepareOpenApi(version: string) {
  const schemas = Object.entries(API_SCHEMAS).map(([name, schema]) => {
    const { $schema: _, ...json } = z.toJSONSchema(schema);
    return [name, json] as const;
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "Assay",
      version,
      description:
        'The data of the pages, as JSON. A missing value is null. Numbers that Harbor computed or a verifier wrote are `{value, text}`: `value` is null for NaN and infinities, `text` is as Python writes it. A missing figure is `{kind: "unavailable", reason}`. Every response has an ETag; a request with `If-None-Match` returns 304 if nothing changed.',
    },
    paths: Object.fromEntries(
      Object.entries(API_ENDPOINTS).map(([path, endpoint]) => [path, { get: describeOperation(endpoint) }]),
    ),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

function describeOperation({ summary, answer, parameters }: ApiEndpoint<ApiSchemaName>) {
  const refer = (name: ApiSchemaName, description: string) => ({
    description,
    content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  return {
    summary,
    parameters,
    responses: {
      "200": refer(answer, "The requested data"),
      "304": { description: "Not changed since the ETag in If-None-Match" },
      "400": refer("Error", "Unknown parameter or value"),
      "401": refer("Error", "Missing or invalid token, if accounts are enabled"),
      "403": refer("Error", "Not allowed for this token, or unknown host name"),
      "404": refer("Error", "No such job or group"),
      "409": refer("Error", "The list changed since the first page; start again without a cursor"),
      "503": refer("Error", "The data cannot be read at the moment"),
    },
  };
}
