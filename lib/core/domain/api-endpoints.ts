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
  inQuery("limit", "Jobs or trials per page", {
    type: "integer",
    minimum: 1,
    maximum: API_LIMITS.most,
    default: API_LIMITS.usual,
  }),
  inQuery("cursor", "next_cursor of the previous page, with the other parameters unchanged", TEXT),
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
    summary: "The jobs list, one row per evals group. Also takes the filters of the page `/`.",
    answer: "Jobs",
    parameters: [
      ...PAGES,
      inQuery("q", "Text in names", TEXT),
      inQuery("agent", "Only these agents", TEXTS),
      inQuery("model", "Only these models", TEXTS),
      inQuery("dataset", "Only these datasets", TEXTS),
      inQuery("since", "Finished since a date or time, or within days before now, such as 7d", TEXT),
    ],
  },
  "/api/v1/jobs/{job}": { summary: "One job", answer: "Job", parameters: [JOB] },
  "/api/v1/jobs/{job}/trials": {
    summary: "The trials of a job. Also takes the filters of its page.",
    answer: "Trials",
    parameters: [JOB, ...PAGES, inQuery("q", "Text in names and in the contents of trials", TEXT)],
  },
  "/api/v1/compare": {
    summary: "A comparison of groups, as on the page `/compare` and in `assay compare --json`",
    answer: "Comparison",
    parameters: [
      {
        ...inQuery(
          "g",
          "Two or more groups as job_key:evals_group; one that begins with + joins the previous one",
          TEXTS,
        ),
        required: true,
      },
      inQuery("key", "Reward key; by default the most frequent", TEXT),
      inQuery("threshold", "Lowest reward that passes", { type: "number", default: 1 }),
      inQuery("missing", "Value of a missing reward", {
        type: "string",
        enum: ["zero", "exclude"],
        default: "zero",
      }),
      inQuery("rule", "Trials that count: by the rule of each job, or one rule for all", {
        type: "string",
        enum: [...SCORING_CHOICES],
        default: "recorded",
      }),
      inQuery("tasks", "Tasks of the curves: common ones or each group's own", {
        type: "string",
        enum: ["common", "own"],
        default: "common",
      }),
    ],
  },
} as const satisfies Readonly<Record<string, ApiEndpoint>>;
