import { z } from "zod";

import type { Field, Fields } from "@/lib/core/fields/field";
import { JOB_FIELDS } from "@/lib/core/fields/jobs.fields";
import { INDEXED_TRIAL_FIELDS, TRIAL_FIELDS } from "@/lib/core/fields/trials.fields";

import { compareSchema } from "./figures";
import { NESTED_SCHEMAS, rewards } from "./trial-schema";

const TYPES = {
  text: z.string(),
  timestamp: z.string(),
  integer: z.int(),
  real: z.number(),
  boolean: z.boolean(),
  exact: z.strictObject({ value: z.number().nullable(), text: z.string() }),
  rewards: rewards.unwrap(),
  object: z.record(z.string(), z.string()),
  texts: z.array(z.string()),
};

/** Returns the JSON schema of a field. */
function describeField<Row>({ type, values, unit, description, always = false }: Field<Row>): z.ZodType {
  const value = values === undefined ? TYPES[type] : z.enum(values);
  return (always ? value : value.nullable()).describe(
    unit === null ? description : `${description} (${unit})`,
  );
}

function describeFields<Row>(fields: Fields<Row>, nested: Readonly<Record<string, z.ZodType>> = {}) {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        if (field.form === "cell") return [];
        if (field.form === undefined) return [[name, describeField(field)]];
        return [[name, (nested[name] ?? z.never()).describe(field.description)]];
      }),
    ),
  );
}

const jobRow = describeFields(JOB_FIELDS);
const trial = describeFields({ ...TRIAL_FIELDS, ...INDEXED_TRIAL_FIELDS }, NESTED_SCHEMAS);

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
    trials: z.array(trial),
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
