import { z } from "zod";

import { SCORING_CHOICES } from "@/lib/core/domain/scoring-choice";
import type { Field, Fields } from "@/lib/core/fields/field";
import { JOB_FIELDS } from "@/lib/core/fields/jobs.fields";
import { INDEXED_TRIAL_FIELDS, TRIAL_FIELDS } from "@/lib/core/fields/trials.fields";

import { NESTED_SCHEMAS, rewards } from "./trial-schema";

/** A missing figure with the reason. Never null, 0 or NaN. */
const unavailable = z
  .strictObject({ kind: z.literal("unavailable"), reason: z.string() })
  .describe("A missing figure with its reason");

function orWhy<T extends z.ZodObject>(figure: T) {
  return z.discriminatedUnion("kind", [figure, unavailable]);
}

const computed = z.literal("computed");
const missingRule = z.enum(["zero", "exclude"]).describe("How missing rewards count: as 0, or excluded");

const bounds = { kind: computed, low: z.number(), high: z.number() };

const meanBounds = z.strictObject({
  ...bounds,
  level: z.number(),
  method: z.string(),
  estimand: z.string(),
  standardError: z.number().nullable().describe("Null if the method has none"),
  halfWidth: z.number().nullable().describe("Null if the interval is not symmetric"),
  df: z.number().nullable().describe("Null if the method has none"),
});

const mean = z.strictObject({
  kind: computed,
  mean: z.number().describe("Each trial has the same weight"),
  bounds: orWhy(meanBounds),
  macroMean: z.number().describe("Each task has the same weight"),
  macroBounds: orWhy(meanBounds),
  n: z.int(),
  nTasks: z.int(),
  nMissing: z.int().describe("Missing rewards, under either rule"),
  missing: missingRule,
  designEffect: z.number().nullable().describe("Null if it cannot be computed"),
});

const reading = z.strictObject({
  mean: orWhy(mean),
  n_moved: z.int().describe("Trials that are excluded or have another reward than recorded"),
});

const endReading = reading.extend({
  n_moved: z.int().nullable().describe("Excluded trials; null while some are not classified yet"),
});

const sensitivity = z.strictObject({
  kind: computed,
  n_trials: z.int(),
  n_missing: z.int(),
  n_unclassified: z.int().describe("Trials that are not classified yet"),
  readings: z.strictObject({
    recorded: reading,
    "without-infrastructure": endReading.describe(
      "Without trials of the classes provider, out_of_budget, infrastructure and verifier",
    ),
    "without-timeouts": endReading.describe("Without trials of the class out_of_time"),
    "without-both": endReading,
    "without-missing": reading,
    lowest: reading.describe("Every missing reward 0"),
    highest: reading.describe("Every missing reward 1"),
  }),
});

const curveValue = z.strictObject({
  value: z.number(),
  band: orWhy(z.strictObject({ ...bounds, method: z.string() })),
});

const passCurve = z.strictObject({
  kind: computed,
  estimand: z.string(),
  nTasks: z.int(),
  points: z.array(
    z.strictObject({
      k: z.int(),
      nTasks: z.int().describe("Tasks with at least k attempts"),
      passAtK: curveValue,
      passHatK: curveValue,
    }),
  ),
  level: z.number(),
  nComparisons: z.int(),
  resamples: z.int(),
  seed: z.int(),
  generator: z.string(),
});

const runToRun = z.strictObject({
  kind: computed,
  means: z.array(z.number()),
  spread: z.number(),
  expected: z.number(),
  component: z.number(),
  p: z.number().nullable().describe("Null if nothing varies"),
  nRuns: z.int(),
  nTasks: z.int(),
  isRate: z.boolean(),
});

const differenceBounds = z.strictObject({
  ...bounds,
  level: z.number(),
  nComparisons: z.int().describe("Number of differences that hold jointly"),
  nAdjusted: z.int().describe("Number of p-values adjusted together"),
  method: z.string(),
  p: z.number(),
  pOfMethod: z.number().nullable(),
  signFlip: z.looseObject({ p: z.number() }),
  ofEachSide: z.strictObject({ low: z.number(), high: z.number() }),
  estimand: z.string(),
  standardError: z.number().nullable(),
  df: z.number().nullable(),
});

const detectable = z.strictObject({
  kind: computed,
  difference: z.number(),
  power: z.number(),
  level: z.number(),
  withTwiceTheAttempts: z.number().nullable().describe("Null if a task has a single attempt on a side"),
  allSpreadIsTrialNoise: z.boolean(),
});

const paired = z.strictObject({
  kind: computed,
  meanFirst: z.number(),
  meanSecond: z.number(),
  difference: z.number().describe("First minus second, in the reward's own unit"),
  bounds: orWhy(differenceBounds),
  nTasks: z.int(),
  nOnlyFirst: z.int(),
  nOnlySecond: z.int(),
  nMissingFirst: z.int(),
  nMissingSecond: z.int(),
  missing: missingRule,
  won: z.int(),
  tied: z.int(),
  lost: z.int(),
  correlation: z.number().nullable().describe("Null if a side does not vary"),
  detectable: orWhy(detectable),
  isRate: z.boolean(),
  verdict: z.enum(["first-better", "second-better", "no-clear-difference", "no-interval"]),
});

const check = z.strictObject({
  name: z.string(),
  state: z.enum(["same", "differs", "unknown"]),
  detail: z.string(),
});

/** `assay.compare/2`, as `assay compare --json` prints it. */
const compareSchema = z
  .strictObject({
    schema: z.literal("assay.compare/2"),
    key: z.string().describe("Reward key"),
    threshold: z.number().describe("Minimum reward of a passed attempt"),
    missing: missingRule,
    rule: z.enum(SCORING_CHOICES).describe("Scoring rule: that of each job, or one for all"),
    n_common_tasks: z.int(),
    n_tasks: z.int(),
    groups: z.array(
      z.strictObject({
        name: z.string(),
        runs: z.array(z.strictObject({ job: z.string(), group: z.string() })),
        n_trials: z.int(),
        mean: orWhy(mean),
        sensitivity: orWhy(sensitivity),
        pass_curve: orWhy(passCurve),
        run_to_run: orWhy(runToRun),
        run_checks: z.array(check),
      }),
    ),
    pairs: z.array(
      z.strictObject({
        first: z.string(),
        second: z.string(),
        verdict: z.string(),
        sentence: z.string(),
        comparison: orWhy(paired),
        with_run_to_run: z
          .strictObject({ value: z.string().nullable(), basis: z.string() })
          .nullable()
          .describe("Null if neither side is a run set"),
        readings: z
          .array(
            z.strictObject({
              name: z.string(),
              n_moved: z.int().nullable().describe("Null while some are not classified yet"),
              verdict: z.string(),
              comparison: orWhy(paired),
            }),
          )
          .describe("One pair without the trials that a reading excludes; empty if no reading moves a trial"),
      }),
    ),
    checks: z.array(check),
  })
  .describe(
    "Each group against the baseline, the oldest run: `first`, the candidate, minus `second`, the baseline",
  );

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
    jobs: z.array(jobRow).describe("One evals group of a job per row; a job without groups has one row"),
    next_cursor: nextCursor,
  }),
  Job: z.strictObject({
    schema: z.literal("assay.jobs/2"),
    jobs: z.array(jobRow).min(1).describe("One evals group of the job per row"),
  }),
  Trials: z.strictObject({
    schema: z.literal("assay.trials/2"),
    trials: z.array(trial),
    n_trials: z.int().describe("Matching trials, on all pages"),
    next_cursor: nextCursor,
  }),
  Comparison: compareSchema,
  Error: z.strictObject({
    error: z.strictObject({
      code: z.string(),
      message: z.string().describe("The problem, and what to do"),
    }),
  }),
} as const;

export type ApiSchemaName = keyof typeof API_SCHEMAS;
