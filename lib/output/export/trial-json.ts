import type { JobRecord } from "@/lib/core/domain/job";
import { readCost, type Spender } from "@/lib/core/domain/spending";
import {
  type RewardFileReading,
  type SourceTrial,
  type StepRecord,
  type TrialException,
  type TrialRecord,
} from "@/lib/core/domain/trial";
import { formatInstant } from "@/lib/core/format/time";
import type { PolicyOverride } from "@/lib/core/scoring";
import type { TrialFailure } from "@/lib/core/triage/classified";

import { prepareInterval, prepareRewards } from "./json-values";

export interface ExportedTrial {
  readonly job: Pick<JobRecord, "key" | "name" | "uuid">;
  readonly root: string | null;
  readonly trial: TrialRecord;
  readonly failure: TrialFailure;
}

/** Returns a trial of `assay.trials/2`: its whole record, with nested rewards, phases and steps. */
export function prepareTrial({ job, root, trial, failure }: ExportedTrial) {
  return {
    job_key: job.key,
    job_name: job.name,
    job_id: job.uuid,
    root,
    folder: trial.folder === "" ? null : trial.folder,
    key: trial.key,
    id: trial.id,
    config_job_id: trial.jobUuid,
    trial_name: trial.trialName,
    task_name: trial.taskName,
    task_digest: trial.taskDigest,
    source: trial.source,
    agent: trial.agent,
    agent_version: trial.agentVersion,
    model: trial.model,
    provider: trial.provider,
    evals_group: trial.groupKey,
    attempt: trial.attempt,
    state: trial.state,
    outcome: trial.outcome,
    rewards: prepareRewards(trial.rewards),
    rewards_problem: trial.rewardsProblem,
    reward_valid: trial.recordedValidity,
    reward_file: prepareRewardFile(trial.rewardFile),
    exception: prepareException(trial.exception),
    failure: prepareFailure(failure),
    failure_state: failure.state,
    ...prepareInterval(trial.time),
    phases: {
      environment_setup: prepareInterval(trial.phases.environmentSetup),
      agent_setup: prepareInterval(trial.phases.agentSetup),
      agent_execution: prepareInterval(trial.phases.agentExecution),
      verifier: prepareInterval(trial.phases.verifier),
    },
    tokens: prepareTokens(trial),
    simulated_user:
      trial.simulatedUser === null
        ? null
        : {
            agent: trial.simulatedUser.agent,
            model: trial.simulatedUser.model,
            tokens: prepareTokens(trial.simulatedUser),
          },
    agent_settings:
      trial.settings === null
        ? null
        : Object.fromEntries(trial.settings.map(({ name, value }) => [name, value])),
    steps: trial.steps?.map(prepareStep) ?? null,
    kind: trial.sourceTrial === null ? "run" : "regrade",
    source_trial: prepareSource(trial.sourceTrial),
  };
}

function prepareFailure(failure: TrialFailure) {
  if (failure.state !== "known") return null;
  const { failureClass, owner, rule, evidence } = failure;
  return {
    class: failureClass,
    owner,
    rule,
    evidence: evidence.map(({ kind, text, place }) => ({ kind, text, ...place })),
  };
}

function prepareSource(source: SourceTrial | null) {
  if (source === null) return null;
  return {
    id: source.id,
    trial_name: source.trialName,
    job_name: source.jobName,
    is_from_hub: source.isFromHub,
    source_task: source.sourceTask,
    regrade_task: source.ownTask,
  };
}

function prepareStep(step: StepRecord) {
  return {
    step_name: step.stepName,
    has_verifier_result: step.hasVerifierResult,
    rewards: prepareRewards(step.rewards),
    reward_file: prepareRewardFile(step.rewardFile),
    exception: prepareException(step.exception),
    agent_execution: prepareInterval(step.agentExecution),
    verifier: prepareInterval(step.verifier),
    tokens: prepareTokens(step),
  };
}

function prepareRewardFile(reading: RewardFileReading) {
  switch (reading.kind) {
    case "absent":
      return { kind: reading.kind };
    case "read":
      return { kind: reading.kind, file: reading.file, rewards: prepareRewards(reading.rewards) };
    case "error":
      return {
        kind: reading.kind,
        file: reading.file,
        reason_code: reading.reasonCode,
        message: reading.message,
      };
  }
}

function prepareException(exception: TrialException | null) {
  if (exception === null) return null;
  const { type, message, traceback, occurredAt, recordedPolicy, policyOverride } = exception;
  return {
    type,
    message,
    traceback,
    occurred_at: occurredAt && formatInstant(occurredAt),
    policy: recordedPolicy && preparePolicy(recordedPolicy),
    policy_override: policyOverride && preparePolicy(policyOverride),
  };
}

function preparePolicy({ shouldRetry, shouldGrade, hasValidReward }: PolicyOverride) {
  return {
    should_retry: shouldRetry ?? null,
    should_grade: shouldGrade ?? null,
    has_valid_reward: hasValidReward ?? null,
  };
}

function prepareTokens(spender: Spender) {
  const { inputTokens, cacheTokens, outputTokens } = spender.tokens;
  return {
    n_input_tokens: inputTokens,
    n_cache_tokens: cacheTokens,
    n_output_tokens: outputTokens,
    cost_usd: readCost(spender),
  };
}
