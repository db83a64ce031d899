import { readCost, type Spender } from "@/lib/core/domain/spending";
import type { RewardFileReading, SourceTrial, StepRecord, TrialException } from "@/lib/core/domain/trial";
import {
  INDEXED_TRIAL_FIELDS,
  type ListedTrial,
  TRIAL_CELLS,
  TRIAL_FIELDS,
  TRIAL_REWARD_CELLS,
  type NestedTrialField,
} from "@/lib/core/fields/trials.fields";
import { formatInstant } from "@/lib/core/format/time";
import type { PolicyOverride } from "@/lib/core/scoring";
import type { TrialFailure } from "@/lib/core/triage/classified";

import {
  type ExportColumn,
  type ExportTable,
  prepareInterval,
  prepareRewards,
  toColumns,
  toJson,
} from "./table";

/** Reward keys with their own columns; `rewards` and `reward_file_rewards` hold them all. */
const MOST_REWARD_KEYS = 100;

/** One trial per row; the first 100 of `rewardKeys` get columns. @param isIndexed - false without fields that need an index */
export function makeTrialTable(rewardKeys: readonly string[], isIndexed = true): ExportTable<ListedTrial> {
  const indexed = isIndexed ? INDEXED_TRIAL_FIELDS : {};
  const fields = { ...TRIAL_FIELDS, ...indexed };
  return {
    schema: "assay.trials/2",
    list: "trials",
    columns: [
      ...toColumns({ ...TRIAL_CELLS, ...indexed, ...TRIAL_REWARD_CELLS }),
      ...listRewardColumns(rewardKeys),
    ],
    prepareJson: (row) => toJson(fields, row, NESTED),
  };
}

function listRewardColumns(keys: readonly string[]): readonly ExportColumn<ListedTrial>[] {
  return keys.slice(0, MOST_REWARD_KEYS).flatMap((key): readonly ExportColumn<ListedTrial>[] => [
    {
      name: `reward:${key}`,
      textName: `reward_text:${key}`,
      type: "exact",
      unit: "reward",
      description: `Reward ${key} of result.json`,
      read: ({ trial }) => trial.rewards?.get(key) ?? null,
    },
    {
      name: `reward_file:${key}`,
      textName: `reward_file_text:${key}`,
      type: "exact",
      unit: "reward",
      description: `Reward ${key} of the verifier's file`,
      read: ({ trial: { rewardFile } }) =>
        rewardFile.kind === "read" ? (rewardFile.rewards?.get(key) ?? null) : null,
    },
  ]);
}

/** Objects of the JSON document `assay.trials/2`. */
const NESTED: Readonly<Record<NestedTrialField, (row: ListedTrial) => object | null>> = {
  reward_file: ({ trial }) => prepareRewardFile(trial.rewardFile),
  exception: ({ trial }) => prepareException(trial.exception),
  failure: ({ failure }) => prepareFailure(failure),
  phases: ({ trial: { phases } }) => ({
    environment_setup: prepareInterval(phases.environmentSetup),
    agent_setup: prepareInterval(phases.agentSetup),
    agent_execution: prepareInterval(phases.agentExecution),
    verifier: prepareInterval(phases.verifier),
  }),
  tokens: ({ trial }) => prepareTokens(trial),
  simulated_user: ({ trial: { simulatedUser: user } }) =>
    user && { agent: user.agent, model: user.model, tokens: prepareTokens(user) },
  steps: ({ trial }) => trial.steps?.map(prepareStep) ?? null,
  source_trial: ({ trial }) => prepareSource(trial.sourceTrial),
};

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
