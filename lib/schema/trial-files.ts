import { z } from "zod";

import { policySchema } from "./error-policy";
import { agentConfigSchema, sourceTrialSchema } from "./job-files";
import { type LenientParse, lenientParserOf, parseLeniently } from "./lenient-parse";
import { type PlainValue, toPlainValue } from "./plain-value";

const text = z.string().nullish();
const count = z.number().nullish();
const any = z.unknown().optional();
const timing = z.object({ started_at: text, finished_at: text }).nullish();

const flag = z.boolean().nullish();

const exceptionSchema = z
  .object({
    exception_type: z.string(),
    exception_message: text,
    exception_traceback: text,
    occurred_at: text,
    policy: policySchema,
    policy_override: policySchema,
  })
  .nullish();

const agentResultSchema = z
  .object({
    n_input_tokens: count,
    n_cache_tokens: count,
    n_output_tokens: count,
    cost_usd: count,
    /** Free-form, see `readTargetUsage`. */
    metadata: any,
  })
  .nullish();

const taskSchema = z.object({ path: text, name: text, source: text });

const trialConfigSchema = z.object({
  trial_name: text,
  job_id: text,
  task: taskSchema.nullish(),
  agent: agentConfigSchema
    // Read by `readAgentSettings`, which takes any value.
    .extend({ override_timeout_sec: any, max_timeout_sec: any, kwargs: any })
    // Read by `readEnvironment`.
    .extend({ extra_allowed_hosts: any, override_setup_timeout_sec: any })
    .nullish(),
  environment: z.record(z.string(), any).nullish(),
  verifier: z.record(z.string(), any).nullish(),
  user_agent: agentConfigSchema.nullish(),
  source_trial: sourceTrialSchema,
  override_error_policy: z.record(z.string(), policySchema).nullish(),
});

const stepSchema = z.object({
  step_name: z.string(),
  agent_result: agentResultSchema,
  exception_info: exceptionSchema,
  agent_execution: timing,
  verifier: timing,
});

const trialResultSchema = z.object({
  schema_version: count,
  reward_valid: flag,
  id: text,
  trial_name: z.string().min(1),
  task_name: text,
  source: text,
  task_checksum: text,
  config: trialConfigSchema.nullish(),
  agent_info: z
    .object({
      name: text,
      version: z.union([z.string(), z.number()]).nullish(),
      model_info: z.object({ name: text, provider: text }).nullish(),
    })
    .nullish(),
  agent_result: agentResultSchema,
  exception_info: exceptionSchema,
  started_at: text,
  finished_at: text,
  environment_setup: timing,
  agent_setup: timing,
  agent_execution: timing,
  verifier: timing,
});

/** A trial's result.json without its rewards, which are read from the exact tree. */
export type TrialResultFile = z.infer<typeof trialResultSchema>;
export type ExceptionFile = z.infer<typeof exceptionSchema>;
export type AgentResultFile = z.infer<typeof agentResultSchema>;
/** A trial's config.json, of which 0.22 leaves defaults out. */
export type TrialConfigFile = z.infer<typeof trialConfigSchema>;

/** Reads a trial's result.json, a view that nobody else holds; only its name is required. @see harbor 0.22.0 src/harbor/models/trial/result.py */
export function parseTrialResult(result: PlainValue): LenientParse<TrialResultFile> {
  return parseLeniently(trialResultSchema, result);
}

/** Reads one entry of `step_results`; only its name is required. */
export const parseStepResult = lenientParserOf(toPlainValue, stepSchema);

/** Reads a trial's config.json, for trials that have no result yet. */
export const parseTrialConfig = lenientParserOf(toPlainValue, trialConfigSchema);
