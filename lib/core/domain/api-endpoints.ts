import { SCORING_CHOICES } from "./scoring-choice";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description: string;
  readonly schema: object;
  readonly required?: boolean;
}

export interface ApiEndpoint<SchemaName extends string = string> {
  readonly summary: string;
  /** Name of the schema in the OpenAPI document. */
  readonly answer: SchemaName;
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

/**
 * Every address of the API except the document's own, which viewers may read. Permissions, the OpenAPI document and the dispatch of
 * requests come from this list.
 */
export const API_ENDPOINTS = {
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
} as const satisfies Readonly<Record<string, ApiEndpoint>>;
