import {
  computeMeanErrors,
  computeMeanInterval,
  computeRatioInterval,
  computeReliability,
  computeRunToRun,
  countSuccesses,
  type MeanErrors,
  type MeanInterval,
  type RatioInterval,
  type Reliability,
  type RunToRun,
  type Sensitivity,
  type TaskValues,
  type Unavailable,
} from "@/lib/stats";

import { computeTrialSensitivity } from "./sensitivity";
import { groupByTask, listTaskValues, readRewardAt } from "./trials";
import type { ComparedTrial } from "./trials";
import type { CompareRule, NamedRuns } from "./run";

/** Tasks drawn for one interval at most, so that groups of tens of thousands of tasks do not hold up the page. */
const MOST_DRAWS = 20_000_000;
const MOST_RESAMPLES = 10_000;

/** Groups whose intervals take all resamples; with more, each takes fewer, so that two dozen are there within a second. */
const MOST_WHOLE = 6;
const FEWEST_RESAMPLES = 1000;

/**
 * Resamples for each interval of so many tasks and groups: 10,000 up to 2,000 tasks and six groups, fewer beyond. Results and
 * captions say how many were drawn.
 */
export function limitResamples(nTasks: number, nGroups = 1): number {
  const most = Math.min(MOST_RESAMPLES, Math.ceil(MOST_DRAWS / Math.max(1, nTasks)));
  const share = Math.min(1, MOST_WHOLE / nGroups) ** 2;
  return Math.min(most, Math.max(FEWEST_RESAMPLES, Math.ceil(MOST_RESAMPLES * share)));
}

/** Uncertainty of the figures of one group, over the tasks that its curve is over. */
export interface GroupCertainty {
  readonly mean: MeanInterval | Unavailable;
  readonly errors: MeanErrors | Unavailable;
  readonly reliability: Reliability | Unavailable;
  /** The mean under every reading of its finished trials. */
  readonly sensitivity: Sensitivity | Unavailable;
  /** Trials that run, are missing or cannot be read: they are in no figure. */
  readonly nUnfinished: number;
  /** `nMissingCosts` of `nAttempts` have an unknown cost or no result. */
  readonly costPerSolve: (RatioInterval | Unavailable) & Record<"nMissingCosts" | "nAttempts", number>;
  /** How far its runs differ; `one-run` of anything but a run set. */
  readonly runToRun: RunToRun | Unavailable;
}

/** One number of the table with its interval, and the basis of both; `value` is null where there is none. */
export interface CertaintyCell {
  readonly value: string | null;
  /** Its interval or what belongs beside it; null without one. */
  readonly range: string | null;
  /** Method, estimand, counts and seed; or why there is no value. */
  readonly basis: string;
}

/** Everything that a group can say of itself, from its trials and their rewards at a key. */
export function computeCertainty(
  { trials, contents }: Pick<NamedRuns, "trials" | "contents">,
  tasks: readonly TaskValues[],
  key: string,
  filter: Pick<CompareRule, "missing" | "threshold">,
  resamples: number,
): GroupCertainty {
  const names = new Set(tasks.map(({ task }) => task));
  const own = trials.filter(({ taskName }) => names.has(taskName));
  return {
    mean: computeMeanInterval(tasks, filter),
    errors: computeMeanErrors(tasks, filter),
    reliability: computeReliability(countSuccesses(tasks, filter), { resamples }),
    sensitivity: computeTrialSensitivity(
      own.filter(({ counts }) => counts),
      key,
      filter,
    ),
    nUnfinished: own.filter(({ state }) => state !== "finished").length,
    costPerSolve: computeCostPerSolve(own, key, filter.threshold, resamples),
    runToRun: computeRunToRun(
      contents
        .filter(({ counted }) => counted.length > 0)
        .map(({ counted }) => listTaskValues(counted, key).filter(({ task }) => names.has(task))),
      filter,
    ),
  };
}

/** The cost of all attempts at a task over how many pass; an attempt of unknown cost or without a result leaves it out. */
function computeCostPerSolve(
  trials: readonly ComparedTrial[],
  key: string,
  threshold: number,
  resamples: number,
): GroupCertainty["costPerSolve"] {
  const ratios = [...groupByTask(trials)].map(([task, attempts]) => ({
    task,
    numerator: attempts.some(isCostMissing)
      ? null
      : attempts.reduce((sum, { tokens }) => sum + (tokens.costUsd ?? 0), 0),
    denominator: attempts.filter((trial) => {
      const reward = readRewardAt(trial, key);
      return trial.counts && reward !== null && reward >= threshold;
    }).length,
  }));
  return {
    ...computeRatioInterval(ratios, { resamples }),
    nMissingCosts: trials.filter(isCostMissing).length,
    nAttempts: trials.length,
  };
}

function isCostMissing({ state, tokens }: ComparedTrial): boolean {
  return state !== "finished" || tokens.costUsd === null;
}
