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
} from "@/lib/core/stats";

import type { CompareRule, NamedRuns } from "./run";
import { computeTrialSensitivity } from "./sensitivity";
import { groupByTask, listTaskValues, readRewardAt } from "./trials";
import type { ComparedTrial } from "./trials";

/** Caps tasks drawn per interval, so that groups of tens of thousands of tasks do not delay the page. */
const MOST_DRAWS = 20_000_000;
const MOST_RESAMPLES = 10_000;

/** With more groups each takes fewer resamples, so that two dozen are ready within a second. */
const MOST_WHOLE = 6;
const FEWEST_RESAMPLES = 1000;

/**
 * Returns the resamples per interval: 10,000 up to 2,000 tasks and six groups, fewer beyond. Results and captions include the
 * number.
 */
export function limitResamples(nTasks: number, nGroups = 1): number {
  const most = Math.min(MOST_RESAMPLES, Math.ceil(MOST_DRAWS / Math.max(1, nTasks)));
  const share = Math.min(1, MOST_WHOLE / nGroups) ** 2;
  return Math.min(most, Math.max(FEWEST_RESAMPLES, Math.ceil(MOST_RESAMPLES * share)));
}

export interface GroupCertainty {
  readonly mean: MeanInterval | Unavailable;
  readonly errors: MeanErrors | Unavailable;
  readonly reliability: Reliability | Unavailable;
  readonly sensitivity: Sensitivity | Unavailable;
  /** Trials that run, are missing or cannot be read. No figure includes them. */
  readonly nUnfinished: number;
  /** `nMissingCosts` of `nAttempts` have an unknown cost or no result. */
  readonly costPerSolve: (RatioInterval | Unavailable) & Record<"nMissingCosts" | "nAttempts", number>;
  /** `one-run` for anything but a run set. */
  readonly runToRun: RunToRun | Unavailable;
}

/** A table cell: a number, its interval, and the basis of both. `value` is null without a number. */
export interface CertaintyCell {
  readonly value: string | null;
  readonly range: string | null;
  readonly basis: string;
}

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

/** Cost of all attempts at a task over its passes. An attempt of unknown cost or without a result excludes the task. */
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
