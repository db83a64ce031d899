import { z } from "zod";

import { API_ENDPOINTS, type ApiEndpoint } from "@/lib/core/domain/api-endpoints";
import { SCORING_CHOICES } from "@/lib/core/domain/scoring-choice";
import type { Field, Fields } from "@/lib/core/fields/field";
import { JOB_FIELDS } from "@/lib/core/fields/jobs.fields";
import { INDEXED_TRIAL_FIELDS, type NestedTrialField, TRIAL_FIELDS } from "@/lib/core/fields/trials.fields";
import { FAILURE_CLASSES, OWNERS } from "@/lib/core/triage/classes";
import { SIGNAL_KINDS } from "@/lib/core/triage/signals";

const missing = z.string().nullable();

const reward = z.strictObject({
  key: z.string(),
  value: z.number().nullable().describe("Null for NaN and infinities, which `text` distinguishes"),
  text: z.string().describe("As Python writes it: distinguishes 1 from 1.0 and 0.0 from -0.0"),
});
const rewards = z
  .array(reward)
  .nullable()
  .describe("In the order of the file; null without a verifier result");

const phase = z.strictObject({
  started_at: missing,
  finished_at: missing,
  duration_ms: z.number().nullable(),
});

const tokens = z.strictObject({
  n_input_tokens: z.number().nullable(),
  n_cache_tokens: z.number().nullable(),
  n_output_tokens: z.number().nullable(),
  cost_usd: z.number().nullable(),
});

const rewardFile = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("absent") }),
  z.strictObject({ kind: z.literal("read"), file: z.string(), rewards }),
  z.strictObject({
    kind: z.literal("error"),
    file: z.string(),
    reason_code: z.string(),
    message: z.string(),
  }),
]);

const flag = z.boolean().nullable();

const policy = z.strictObject({ should_retry: flag, should_grade: flag, has_valid_reward: flag }).nullable();

const exception = z
  .strictObject({
    type: z.string(),
    message: z.string(),
    traceback: missing,
    occurred_at: missing,
    policy: policy.describe("Harbor's error policy as recorded since 0.26"),
    policy_override: policy.describe("Flags that the job overrides; null if there are none"),
  })
  .nullable();

const version = z.strictObject({ version: missing, digest: missing }).nullable();

const failure = z
  .strictObject({
    class: z.enum(FAILURE_CLASSES),
    owner: z.enum(OWNERS),
    rule: missing.describe("Null if no rule matches, for the class unexplained"),
    evidence: z.array(
      z.strictObject({
        kind: z.enum(SIGNAL_KINDS),
        text: z.string(),
        file: z.string(),
        line: z.int().nullable(),
        step: missing,
      }),
    ),
  })
  .nullable();

/** Objects of a trial of `assay.trials/2`. */
const NESTED_SCHEMAS: Readonly<Record<NestedTrialField, z.ZodType>> = {
  reward_file: rewardFile,
  exception,
  failure,
  phases: z.strictObject({
    environment_setup: phase,
    agent_setup: phase,
    agent_execution: phase,
    verifier: phase,
  }),
  tokens,
  simulated_user: z.strictObject({ agent: missing, model: missing, tokens }).nullable(),
  steps: z
    .array(
      z.strictObject({
        step_name: z.string(),
        has_verifier_result: z.boolean(),
        rewards,
        reward_file: rewardFile,
        exception,
        agent_execution: phase,
        verifier: phase,
        tokens,
      }),
    )
    .nullable(),
  source_trial: z
    .strictObject({
      id: missing,
      trial_name: missing,
      job_name: missing,
      is_from_hub: z.boolean(),
      source_task: version,
      regrade_task: version,
    })
    .nullable(),
};

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
