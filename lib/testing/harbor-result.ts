import { formatNaive, formatUtc, type Micros } from "./clock";
import { formatJobDir, prepareTrialConfig } from "./harbor-config";
import type { Json } from "./json-text";
import type { ExceptionRecord, JobRecord, Rewards, Span, StepRecord, TrialRecord, Usage } from "./record";

type Fields = Record<string, Json>;

function count(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}

function usageFields(usage: Usage | null): Json {
  if (usage === null) return null;
  return {
    n_input_tokens: count(usage.input),
    n_cache_tokens: count(usage.cache),
    n_output_tokens: count(usage.output),
    cost_usd: usage.costUsd,
    rollout_details: null,
    metadata: usage.metadata ?? null,
  };
}

function rewardFields(rewards: Rewards | null): Json {
  return rewards === null ? null : { rewards };
}

/** Trial times: UTC with a Z, but naive local times in the old files. */
function trialTime(job: JobRecord, at: Micros): string {
  return job.flavour === "legacy" ? formatNaive(at, job.offsetMinutes) : formatUtc(at);
}

function spanFields(job: JobRecord, span: Span | null): Json {
  return span === null
    ? null
    : { started_at: trialTime(job, span.from), finished_at: trialTime(job, span.to) };
}

function exceptionFields(job: JobRecord, exception: ExceptionRecord | null): Json {
  if (exception === null) return null;
  const at =
    job.flavour === "0.22.0" ? formatUtc(exception.at) : formatNaive(exception.at, job.offsetMinutes);
  return {
    exception_type: exception.type,
    exception_message: exception.message,
    exception_traceback: exception.traceback,
    occurred_at: at,
  };
}

function stepFields(job: JobRecord, step: StepRecord): Json {
  return {
    step_name: step.name,
    agent_result: usageFields(step.usage),
    verifier_result: rewardFields(step.rewards),
    exception_info: exceptionFields(job, step.exception),
    agent_execution: spanFields(job, step.agent),
    verifier: spanFields(job, step.verifier),
  };
}

function taskIdFields(job: JobRecord, task: string): Json {
  const { gitUrl, commit, name } = job.dataset;
  return gitUrl === null
    ? { path: `datasets/${name ?? "local"}/${task}` }
    : { git_url: gitUrl, git_commit_id: commit, path: task };
}

/** A trial's result.json as Harbor's `TrialResult` dumps it. */
export function prepareTrialResult(
  job: JobRecord,
  trial: TrialRecord,
  checksums: ReadonlyMap<string, string>,
): Fields {
  const { agent } = trial;
  return {
    id: trial.id,
    task_name: trial.task,
    trial_name: trial.name,
    trial_uri: `file:///srv/bench/${formatJobDir(job)}/${encodeURIComponent(trial.name)}`,
    task_id: taskIdFields(job, trial.task),
    source: job.dataset.name,
    task_checksum: checksums.get(trial.task) ?? "0".repeat(64),
    config: prepareTrialConfig(job, trial),
    agent_info: {
      name: agent.name,
      version: agent.version,
      model_info: agent.model === null ? null : { name: agent.model, provider: agent.provider },
    },
    agent_result: usageFields(trial.usage),
    verifier_result: rewardFields(trial.rewards),
    ...(job.flavour === "0.22.0"
      ? { verifier_environment_mode: trial.steps === null ? "shared" : null }
      : {}),
    exception_info: exceptionFields(job, trial.exception),
    started_at: trialTime(job, trial.span.from),
    finished_at: trialTime(job, trial.span.to),
    environment_setup: spanFields(job, trial.environmentSetup),
    agent_setup: spanFields(job, trial.agentSetup),
    agent_execution: spanFields(job, trial.agentExecution),
    verifier: spanFields(job, trial.verifier),
    ...(job.flavour === "legacy"
      ? {}
      : { step_results: trial.steps === null ? null : trial.steps.map((step) => stepFields(job, step)) }),
  };
}
