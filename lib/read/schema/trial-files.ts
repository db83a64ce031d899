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
    metadata: any,
  })
  .nullish();

const taskSchema = z.object({ path: text, name: text, source: text });

const trialConfigSchema = z.object({
  schema_version: any,
  trial_name: text,
  job_id: text,
  task: taskSchema.nullish(),
  agent: agentConfigSchema
    .extend({ override_timeout_sec: any, max_timeout_sec: any, kwargs: any })
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

/** Excludes rewards, which are read from the exact tree. */
export type TrialResultFile = z.infer<typeof trialResultSchema>;
export type ExceptionFile = z.infer<typeof exceptionSchema>;
export type AgentResultFile = z.infer<typeof agentResultSchema>;
/** Harbor omits default values since 0.22. */
export type TrialConfigFile = z.infer<typeof trialConfigSchema>;

/** Modifies `result`; requires only its name. @see harbor 0.22.0 src/harbor/models/trial/result.py */
export function parseTrialResult(result: PlainValue): LenientParse<TrialResultFile> {
  return parseLeniently(trialResultSchema, result);
}

export const parseStepResult = lenientParserOf(toPlainValue, stepSchema);

export const parseTrialConfig = lenientParserOf(toPlainValue, trialConfigSchema);
