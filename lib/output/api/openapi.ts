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
        'What the pages show, as JSON. A missing value is null. Numbers that Harbor computed or a verifier wrote are `{value, text}`: `value` is null for NaN and infinities, `text` is as Python writes it. A figure that there is not is `{kind: "unavailable", reason}`. Every answer has an ETag; `If-None-Match` with it gives 304.',
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
      "200": refer(answer, "What was asked for"),
      "304": { description: "The same as the ETag in If-None-Match" },
      "400": refer("Error", "A parameter that is not understood"),
      "401": refer("Error", "Where there are accounts: no token, or one that is not accepted"),
      "403": refer("Error", "Not for this token, or not the name that the server answers to"),
      "404": refer("Error", "There is no such job or group"),
      "409": refer("Error", "What is listed changed since the first page; begin again without cursor"),
      "503": refer("Error", "It cannot be read at the moment"),
    },
  };
}
