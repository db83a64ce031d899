import { z } from "zod";

import { SCORING_CHOICES } from "@/lib/core/domain/scoring-choice";

import { API_SCHEMAS, type ApiSchemaName } from "./schemas";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description: string;
  readonly schema: object;
  readonly required?: boolean;
}

interface Operation {
  readonly summary: string;
  readonly answer: ApiSchemaName;
  readonly parameters: readonly Parameter[];
}

/** Rows of a page: default and maximum. */
export const API_LIMITS = { usual: 100, most: 1_000 } as const;

const inQuery = (name: string, description: string, schema: object): Parameter => ({
  name,
  in: "query",
  description,
  schema,
});

const TEXT = { type: "string" };
const TEXTS = { type: "array", items: TEXT };

const PAGES: readonly Parameter[] = [
  inQuery("limit", "Jobs or trials of a page", {
    type: "integer",
    minimum: 1,
    maximum: API_LIMITS.most,
    default: API_LIMITS.usual,
  }),
  inQuery("cursor", "next_cursor of the page before, with the other parameters unchanged", TEXT),
];

const JOB: Parameter = {
  name: "job",
  in: "path",
  required: true,
  description: "job_key of the job",
  schema: TEXT,
};

/** Every address except the document's own. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  "/api/v1/jobs": {
    summary: "The jobs list, an evals group a row. Takes the filters of the page `/` too.",
    answer: "Jobs",
    parameters: [
      ...PAGES,
      inQuery("q", "Text in names", TEXT),
      inQuery("agent", "Only these agents", TEXTS),
      inQuery("model", "Only these models", TEXTS),
      inQuery("dataset", "Only these datasets", TEXTS),
    ],
  },
  "/api/v1/jobs/{job}": { summary: "One job", answer: "Job", parameters: [JOB] },
  "/api/v1/jobs/{job}/trials": {
    summary: "The trials of a job. Takes the filters of its page too.",
    answer: "Trials",
    parameters: [JOB, ...PAGES, inQuery("q", "Text in names and in what trials say", TEXT)],
  },
  "/api/v1/compare": {
    summary: "Groups compared, as the page `/compare` and `assay compare --json` have it",
    answer: "Comparison",
    parameters: [
      {
        ...inQuery(
          "g",
          "Groups as job_key:evals_group, two or more; one that begins with + joins the one before",
          TEXTS,
        ),
        required: true,
      },
      inQuery("key", "Reward key; the most frequent without it", TEXT),
      inQuery("threshold", "An attempt passes from this reward on", { type: "number", default: 1 }),
      inQuery("missing", "What a missing reward counts as", {
        type: "string",
        enum: ["zero", "exclude"],
        default: "zero",
      }),
      inQuery("rule", "Which trials count: by the rule of each job, or one rule for all", {
        type: "string",
        enum: [...SCORING_CHOICES],
        default: "recorded",
      }),
      inQuery("tasks", "Whether curves are over common tasks or each group's own", {
        type: "string",
        enum: ["common", "own"],
        default: "common",
      }),
    ],
  },
};

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
      Object.entries(OPERATIONS).map(([path, operation]) => [path, { get: describeOperation(operation) }]),
    ),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

function describeOperation({ summary, answer, parameters }: Operation) {
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
