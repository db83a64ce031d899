import type { SettingValues } from "@/lib/core/domain/agent-settings";
import { computeDurationMs } from "@/lib/core/domain/clock-time";
import { compareNames } from "@/lib/core/domain/compare-text";
import type { EnvironmentFacts } from "@/lib/core/domain/environment";
import { readCost } from "@/lib/core/domain/spending";
import { sumBy } from "@/lib/core/domain/sum-by";
import { countsUnder, sumTokens, type TokenUsage, type Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { ScoringRule } from "@/lib/core/scoring";
import type { SensitivityTrial, TaskValues } from "@/lib/core/stats";

/** A trial in a comparison. Omits traces and phases, since groups of thousands of trials are kept in memory. */
export interface ComparedTrial extends Pick<
  Trial,
  "key" | "taskName" | "taskDigest" | "agentVersion" | "attempt" | "state" | "outcome" | "isRewardValid"
> {
  /** True if it counts in its group's figures, see `countsUnder` of lib/core/domain. */
  readonly counts: boolean;
  /** True if its own files are known, so that it has a page. */
  readonly hasFolder: boolean;
  /** By reward key; empty without a reward, which is not 0. */
  readonly rewards: ReadonlyMap<string, number>;
  /** From the trial, else one of its steps; null without an exception. */
  readonly exceptionType: string | null;
  /** Null for an unfinished trial. */
  readonly exclusion: SensitivityTrial["exclusion"];
  readonly tokens: Pick<TokenUsage, "costUsd">;
  /** Input and output together; null where neither is recorded. */
  readonly nTokens: number | null;
  /** From start to end; null where either is unknown. */
  readonly durationMs: number | null;
  readonly isSuspect: boolean;
  readonly jobKey: string;
  /** Id of the agent's run that it grades: its own, or its source's for a regrade; null where no file records it. */
  readonly rollout: string | null;
}

export interface GroupContent {
  readonly trials: readonly ComparedTrial[];
  /** Recorded figures that could be compared, and how many of them are exact. */
  readonly figures: { readonly nFigures: number; readonly nExact: number };
  readonly settings: SettingValues | null;
  readonly environment: EnvironmentFacts;
}

export function renumber(trials: readonly ComparedTrial[]): readonly ComparedTrial[] {
  const counts = new Map<string, number>();
  return trials.map((trial) => {
    const attempt = (counts.get(trial.taskName) ?? 0) + 1;
    counts.set(trial.taskName, attempt);
    return { ...trial, attempt };
  });
}

export function pickCompared(
  trial: Trial,
  rule: ScoringRule,
): Omit<ComparedTrial, "isSuspect" | "jobKey" | "exclusion"> {
  const { key, taskName, taskDigest, agentVersion, attempt, state, outcome, rewards, isRewardValid } = trial;
  return {
    key,
    hasFolder: trial.folder !== "",
    taskName,
    taskDigest,
    agentVersion,
    attempt,
    state,
    outcome,
    isRewardValid,
    counts: state === "finished" && countsUnder(trial, rule),
    // Merges -0 and 0, as in the index.
    rewards: new Map(Array.from(rewards ?? [], ([name, value]) => [name, Number(value) + 0])),
    exceptionType: selectFailure(trial)?.exception.type ?? null,
    tokens: { costUsd: readCost(trial) },
    nTokens: sumTokens(trial.tokens),
    durationMs: computeDurationMs(trial.time),
    rollout: trial.sourceTrial === null ? trial.id : trial.sourceTrial.id,
  };
}

export interface RewardKey {
  readonly key: string;
  readonly count: number;
}

/** Returns the reward keys of all groups: `reward` first if present, else by frequency and name. */
export function listRewardKeys(groups: readonly Pick<GroupContent, "trials">[]): readonly RewardKey[] {
  const keys = groups.flatMap(({ trials }) => trials.flatMap(({ rewards }) => [...rewards.keys()]));
  const rank = (entry: RewardKey) => (entry.key === "reward" ? Infinity : entry.count);
  return Array.from(
    sumBy(keys, (key) => key),
    ([key, count]) => ({ key, count }),
  ).sort((a, b) => (rank(a) === rank(b) ? compareNames(a.key, b.key) : rank(b) - rank(a)));
}

/** Null when the trial has no reward there, which is not 0. */
export function readRewardAt(trial: ComparedTrial, key: string): number | null {
  return trial.rewards.get(key) ?? null;
}

export function groupByTask(trials: readonly ComparedTrial[]): ReadonlyMap<string, readonly ComparedTrial[]> {
  return Map.groupBy(trials, (trial) => trial.taskName);
}

/** Returns rewards at a key by task, of the trials that count; null for a missing one. */
export function listTaskValues(trials: readonly ComparedTrial[], key: string): readonly TaskValues[] {
  const counted = trials.filter((trial) => trial.counts);
  return [...groupByTask(counted)].map(([task, attempts]) => ({
    task,
    values: attempts.map((trial) => readRewardAt(trial, key)),
  }));
}
