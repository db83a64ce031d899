import { toColumnText } from "@/lib/database";
import { computeDurationMs } from "@/lib/domain/clock-time";
import type { JobEntry } from "@/lib/domain/catalog";
import { type SourceTrial, sumTokens, type TrialRecord } from "@/lib/domain/trial";
import { findTaskFamily } from "@/lib/domain/task-family";
import { selectFailure } from "@/lib/domain/trial-failure";
import type { RewardDict } from "@/lib/scoring";
import { encodeTrial, type JobRow } from "@/lib/store";
import { listRewards, readReward } from "@/lib/verification";

import type { DividedGroups } from "./divide-groups";
import { groupByTask } from "./task-rows";

/** Messages of exceptions are searched and grouped by their beginning; the whole text is in the record. */
const MESSAGE_CHARS = 1000;

/** The rows that a job's trials make, in directory order. */
export interface TrialRows {
  readonly trials: readonly JobRow<"trials">[];
  readonly trial_records: readonly JobRow<"trial_records">[];
  readonly trial_rewards: readonly JobRow<"trial_rewards">[];
  readonly trial_sources: readonly JobRow<"trial_sources">[];
}

/** Columns, record and rewards of every trial of a job. */
export function prepareTrialRows({ trials, report }: JobEntry, { places }: DividedGroups): TrialRows {
  const differing = new Map<string, string>();
  for (const { kind, verdict, trialKeys, reason } of report.figures) {
    if (kind !== "reward-file" || verdict !== "mismatch") continue;
    for (const key of trialKeys) differing.set(key, reason ?? "The files differ.");
  }
  const taskPositions = new Map(groupByTask(trials).map(([taskName], position) => [taskName, position]));
  return {
    trials: trials.map((trial, position) => ({
      ...toColumns(trial, position, differing.get(trial.key) ?? null),
      task_position: taskPositions.get(trial.taskName) ?? 0,
      setup_key: places.get(trial.key)?.key ?? null,
      setup_attempt: places.get(trial.key)?.attempt ?? null,
    })),
    trial_records: trials.map((trial, position) => ({ position, record: encodeTrial(trial) })),
    trial_rewards: trials.flatMap(({ rewards }, position) => listRewardRows(rewards, position)),
    trial_sources: trials.flatMap(({ sourceTrial }, position) => listSource(sourceTrial, position)),
  };
}

function toColumns(
  trial: TrialRecord,
  position: number,
  filesDiffer: string | null,
): Omit<JobRow<"trials">, "task_position" | "setup_key" | "setup_attempt"> {
  const failure = selectFailure(trial);
  const exceptionType = failure?.exception.type ?? null;
  return {
    position,
    ...toRewardColumns(trial.rewards),
    cost_usd: toReal(trial.tokens.costUsd),
    n_tokens: toReal(sumTokens(trial.tokens)),
    key: trial.key,
    uuid: trial.id,
    run_uuid: trial.jobId,
    trial_name: trial.trialName,
    task_name: trial.taskName,
    family: findTaskFamily(trial.taskName),
    group_key: trial.groupKey,
    agent: trial.agent,
    model: trial.model,
    attempt: trial.attempt,
    state: trial.state,
    outcome: trial.outcome,
    exception_type: exceptionType,
    exception_message: failure?.exception.message.slice(0, MESSAGE_CHARS) ?? null,
    exception_cause: failure?.cause ?? null,
    exception_step: failure?.stepName ?? null,
    duration_ms: computeDurationMs(trial.time),
    started_ms: trial.time.startedAt?.epochMs ?? null,
    task_digest: trial.taskDigest,
    files_differ: filesDiffer,
    search: `${trial.taskName}\n${trial.trialName}\n${exceptionType ?? ""}`.toLowerCase(),
  };
}

function toRewardColumns(rewards: RewardDict | null) {
  const headline = readReward(rewards);
  return {
    reward_key: headline?.key ?? null,
    reward: headline && toReal(Number(headline.value)),
    reward_text: headline?.text ?? null,
    n_reward_keys: rewards?.size ?? 0,
  };
}

function listRewardRows(rewards: RewardDict | null, position: number): JobRow<"trial_rewards">[] {
  if (rewards === null || rewards.size < 2) return [];
  // Keys that no column can tell apart: the first one stands for them.
  const keys = new Set<string>();
  return listRewards(rewards).flatMap(({ key: name, value, text }) => {
    const key = toColumnText(name);
    if (keys.has(key)) return [];
    keys.add(key);
    return { position, key, value: toReal(Number(value)), text };
  });
}

function listSource(source: SourceTrial | null, position: number): JobRow<"trial_sources">[] {
  if (source === null) return [];
  const { id, jobName, trialName, sourceTask, ownTask } = source;
  return [
    {
      position,
      uuid: id,
      job_name: jobName,
      trial_name: trialName,
      source_version: sourceTask?.version ?? null,
      source_digest: sourceTask?.digest ?? null,
      own_version: ownTask?.version ?? null,
      own_digest: ownTask?.digest ?? null,
    },
  ];
}

/** A number as a column keeps it: NaN is unknown, as nothing sorts before or after it. */
function toReal(value: number | null): number | null {
  return Number.isNaN(value) ? null : value;
}
