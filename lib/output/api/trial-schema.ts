import { z } from "zod";

import type { NestedTrialField } from "@/lib/core/fields/trials.fields";
import { FAILURE_CLASSES, OWNERS } from "@/lib/core/triage/classes";
import { SIGNAL_KINDS } from "@/lib/core/triage/signals";

const missing = z.string().nullable();

const reward = z.strictObject({
  key: z.string(),
  value: z.number().nullable().describe("Null for NaN and infinities, which `text` distinguishes"),
  text: z.string().describe("As Python writes it: distinguishes 1 from 1.0 and 0.0 from -0.0"),
});
export const rewards = z
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
export const NESTED_SCHEMAS: Readonly<Record<NestedTrialField, z.ZodType>> = {
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
