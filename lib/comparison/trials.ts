import type { SettingValues } from "@/lib/domain/agent-settings";
import type { EnvironmentFacts } from "@/lib/domain/environment";
import { computeDurationMs } from "@/lib/domain/clock-time";
import { compareNames } from "@/lib/domain/compare-text";
import { sumBy } from "@/lib/domain/sum-by";
import { readCost } from "@/lib/domain/spending";
import { countsUnder, sumTokens, type TokenUsage, type TrialRecord } from "@/lib/domain/trial";
import { selectFailure } from "@/lib/domain/trial-failure";
import type { ScoringRule } from "@/lib/scoring";
import type { SensitivityTrial, TaskValues } from "@/lib/stats";

/** What a comparison needs of a trial. Traces and phases are left out, since groups of thousands of trials are kept. */
export interface ComparedTrial extends Pick<
  TrialRecord,
  "key" | "taskName" | "taskDigest" | "agentVersion" | "attempt" | "state" | "outcome" | "isRewardValid"
> {
  /** True if it is an operand of its group's figures, see `countsUnder` of lib/domain. */
  readonly counts: boolean;
  /** Whether files of its own are known, so that it has a page. */
  readonly hasFolder: boolean;
  /** By reward key; empty where there is none, which is not a reward of 0. */
  readonly rewards: ReadonlyMap<string, number>;
  /** Of the trial, else of one of its steps; null without an exception. */
  readonly exceptionType: string | null;
  /** Of a trial that is not finished null. */
  readonly exclusion: SensitivityTrial["exclusion"];
  readonly tokens: Pick<TokenUsage, "costUsd">;
  /** Of input and output together; null where neither is stated. */
  readonly nTokens: number | null;
  /** From start to end; null where either is unknown. */
  readonly durationMs: number | null;
  /** The verifier may have crashed. */
  readonly isSuspect: boolean;
  readonly jobKey: string;
  /** The agent's run that it grades: its own id, that of its source where it is a regrade; null where no file states it. */
  readonly rollout: string | null;
}

/** Everything of a group beyond its summary. */
export interface GroupContent {
  /** Attempts in order, running, missing and unreadable ones included. */
  readonly trials: readonly ComparedTrial[];
  /** Recorded figures that could be compared, and how many of them are exact. */
  readonly figures: { readonly nFigures: number; readonly nExact: number };
  /** Of the agent over its trials; null where no file of any trial states them. */
  readonly settings: SettingValues | null;
  /** The recorded facts about the environment of its trials. */
  readonly environment: EnvironmentFacts;
}

/** Attempts numbered anew at each task, in their order. */
export function renumber(trials: readonly ComparedTrial[]): readonly ComparedTrial[] {
  const counts = new Map<string, number>();
  return trials.map((trial) => {
    const attempt = (counts.get(trial.taskName) ?? 0) + 1;
    counts.set(trial.taskName, attempt);
    return { ...trial, attempt };
  });
}

/** What a comparison needs of a trial, beside its job, whether its verifier may have crashed, and what leaves it out of readings. */
export function pickCompared(
  trial: TrialRecord,
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
    // There is one zero, as in the index.
    rewards: new Map(Array.from(rewards ?? [], ([name, value]) => [name, Number(value) + 0])),
    exceptionType: selectFailure(trial)?.exception.type ?? null,
    tokens: { costUsd: readCost(trial) },
    nTokens: sumTokens(trial.tokens),
    durationMs: computeDurationMs(trial.time),
    rollout: trial.sourceTrial === null ? trial.id : trial.sourceTrial.id,
  };
}

/** A reward key and how many trials carry it, most frequent first. */
export interface RewardKey {
  readonly key: string;
  readonly count: number;
}

/** Reward keys over all chosen groups: `reward` first when it is there, else by frequency and name. */
export function listRewardKeys(groups: readonly Pick<GroupContent, "trials">[]): readonly RewardKey[] {
  const keys = groups.flatMap(({ trials }) => trials.flatMap(({ rewards }) => [...rewards.keys()]));
  const rank = (entry: RewardKey) => (entry.key === "reward" ? Infinity : entry.count);
  return Array.from(
    sumBy(keys, (key) => key),
    ([key, count]) => ({ key, count }),
  ).sort((a, b) => (rank(a) === rank(b) ? compareNames(a.key, b.key) : rank(b) - rank(a)));
}

/** A trial's reward at a key; null when it has none there, which is not 0. */
export function readRewardAt(trial: ComparedTrial, key: string): number | null {
  return trial.rewards.get(key) ?? null;
}

/** The group's trials by task, in order of first appearance and attempts in order. */
export function groupByTask(trials: readonly ComparedTrial[]): ReadonlyMap<string, readonly ComparedTrial[]> {
  return Map.groupBy(trials, (trial) => trial.taskName);
}

/** Rewards at a key by task, of the trials that Harbor's figures count; null for a missing one. */
export function listTaskValues(trials: readonly ComparedTrial[], key: string): readonly TaskValues[] {
  const counted = trials.filter((trial) => trial.counts);
  return [...groupByTask(counted)].map(([task, attempts]) => ({
    task,
    values: attempts.map((trial) => readRewardAt(trial, key)),
  }));
}
