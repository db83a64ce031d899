import { z } from "zod";

import { type ExportColumn, JOB_TABLE } from "@/lib/output/export";

import { compareSchema } from "./figures";
import { trialSchema } from "./trial-schema";

/** Returns the JSON schema of a column. Every value may be missing, as null. */
function describeColumn<Row>({ type, unit, description }: ExportColumn<Row>) {
  const values = {
    text: z.string().nullable(),
    timestamp: z.string().nullable(),
    integer: z.int().nullable(),
    real: z.number().nullable(),
    boolean: z.boolean().nullable(),
    exact: z.strictObject({ value: z.number().nullable(), text: z.string() }).nullable(),
  };
  return values[type].describe(unit === null ? description : `${description} (${unit})`);
}

const jobRow = z.strictObject(
  Object.fromEntries(JOB_TABLE.columns.map((column) => [column.name, describeColumn(column)])),
);

const nextCursor = z.string().nullable().describe("For `cursor` of the next request; null on the last page");

/** Response schemas by their name in the OpenAPI document. */
export const API_SCHEMAS = {
  Jobs: z.strictObject({
    schema: z.literal("assay.jobs/2"),
    jobs: z.array(jobRow).describe("An evals group of a job each; a job without any has one row"),
    next_cursor: nextCursor,
  }),
  Job: z.strictObject({
    schema: z.literal("assay.jobs/2"),
    jobs: z.array(jobRow).min(1).describe("An evals group of the job each"),
  }),
  Trials: z.strictObject({
    schema: z.literal("assay.trials/2"),
    trials: z.array(trialSchema),
    n_trials: z.int().describe("Trials that fit, on all pages"),
    next_cursor: nextCursor,
  }),
  Comparison: compareSchema,
  Error: z.strictObject({
    error: z.strictObject({
      code: z.string(),
      message: z.string().describe("What is wrong, and what to do"),
    }),
  }),
} as const;

export type ApiSchemaName = keyof typeof API_SCHEMAS;
