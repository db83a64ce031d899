import type { CatalogSnapshot, JobEntry } from "@/lib/domain/catalog";
import { computeDurationMs } from "@/lib/domain/clock-time";
import type { TrialRecord } from "@/lib/domain/trial";
import { dumpPythonJson, evalsKey, type RewardDict } from "@/lib/scoring";

import { formatCsvLine } from "@/lib/format/csv";

type Field = string | number | null;
type ReadField = (trial: TrialRecord, entry: JobEntry, root: string) => Field;

const FIELDS: readonly (readonly [string, ReadField])[] = [
  ["job_key", (_, { job }) => job.key],
  ["job_name", (_, { job }) => job.name],
  ["job_id", (_, { job }) => job.id],
  ["root", (_trial, _entry, root) => root],
  ["folder", (trial) => trial.folder],
  ["key", (trial) => trial.key],
  ["id", (trial) => trial.id],
  ["config_job_id", (trial) => trial.jobId],
  ["trial_name", (trial) => trial.trialName],
  ["task_name", (trial) => trial.taskName],
  ["task_digest", (trial) => trial.taskDigest],
  ["source", (trial) => trial.source],
  ["agent", (trial) => trial.agent],
  ["agent_version", (trial) => trial.agentVersion],
  ["model", (trial) => trial.model],
  ["provider", (trial) => trial.provider],
  ["evals_group", (trial) => evalsKey(trial)],
  ["attempt", (trial) => trial.attempt],
  ["state", (trial) => trial.state],
  ["outcome", (trial) => trial.outcome],
  ["rewards_problem", (trial) => trial.rewardsProblem],
  ["reward_file", ({ rewardFile }) => (rewardFile.kind === "absent" ? null : rewardFile.file)],
  ["reward_file_problem", ({ rewardFile }) => (rewardFile.kind === "error" ? rewardFile.message : null)],
  ["exception_type", (trial) => trial.exception?.type ?? null],
  ["exception_message", (trial) => trial.exception?.message ?? null],
  ["exception_occurred_at", (trial) => trial.exception?.occurredAt?.text ?? null],
  ["started_at", (trial) => trial.time.startedAt?.text ?? null],
  ["finished_at", (trial) => trial.time.finishedAt?.text ?? null],
  ["duration_ms", (trial) => computeDurationMs(trial.time)],
  ["environment_setup_ms", (trial) => computeDurationMs(trial.phases.environmentSetup)],
  ["agent_setup_ms", (trial) => computeDurationMs(trial.phases.agentSetup)],
  ["agent_execution_ms", (trial) => computeDurationMs(trial.phases.agentExecution)],
  ["verifier_ms", (trial) => computeDurationMs(trial.phases.verifier)],
  ["n_input_tokens", (trial) => trial.tokens.inputTokens],
  ["n_cache_tokens", (trial) => trial.tokens.cacheTokens],
  ["n_output_tokens", (trial) => trial.tokens.outputTokens],
  ["cost_usd", (trial) => trial.tokens.costUsd],
  ["n_steps", (trial) => trial.steps?.length ?? null],
];

/**
 * The trials as CSV with a heading; an empty field is a missing value.
 *
 * Every reward key of any trial has a column `reward:KEY` with Python's text of the value, and `reward_file:KEY` with that
 * of the verifier's file, in order of first appearance.
 */
export function* prepareTrialsCsv({ roots, jobs }: CatalogSnapshot): Generator<string> {
  const keys = collectRewardKeys(jobs);
  const rewardColumns = keys.flatMap((key) => [`reward:${key}`, `reward_file:${key}`]);
  yield formatCsvLine([...FIELDS.map(([name]) => name), ...rewardColumns]);
  for (const entry of jobs) {
    const root = roots[entry.job.root]?.label ?? "";
    for (const trial of entry.trials) {
      const file = trial.rewardFile.kind === "read" ? trial.rewardFile.rewards : null;
      const rewards = keys.flatMap((key) => [formatReward(trial.rewards, key), formatReward(file, key)]);
      yield formatCsvLine([...FIELDS.map(([, read]) => read(trial, entry, root)), ...rewards]);
    }
  }
}

function collectRewardKeys(jobs: readonly JobEntry[]): string[] {
  const keys = new Set<string>();
  for (const { trials } of jobs) {
    for (const { rewards, rewardFile } of trials) {
      for (const key of rewards?.keys() ?? []) keys.add(key);
      if (rewardFile.kind === "read") for (const key of rewardFile.rewards?.keys() ?? []) keys.add(key);
    }
  }
  return [...keys];
}

function formatReward(rewards: RewardDict | null, key: string): string | null {
  const value = rewards?.get(key);
  return value === undefined ? null : dumpPythonJson(value);
}
