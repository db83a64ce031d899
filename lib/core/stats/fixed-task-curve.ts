import { computeTQuantile } from "./distributions";
import { computePassAtK, computePassHatK, type TaskCounts } from "./pass-at-k";
import { selectKs } from "./pass-curves";
import { LEVEL } from "./rate-interval";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface FixedTaskBounds {
  readonly kind: "computed";
  readonly low: number;
  readonly high: number;
  readonly standardError: number;
  readonly df: number;
}

export interface FixedTaskValue {
  readonly value: number;
  readonly bounds: FixedTaskBounds | Unavailable;
}

export interface FixedTaskPoint {
  readonly k: number;
  readonly nTasks: number;
  readonly passAtK: FixedTaskValue;
  readonly passHatK: FixedTaskValue;
}

export interface FixedTaskCurve {
  readonly kind: "computed";
  readonly estimand: "same-tasks";
  readonly method: "within-task-t";
  readonly points: readonly FixedTaskPoint[];
  readonly nTasks: number;
  readonly level: number;
}

/** Beyond k = 1 the variance comes from tasks that pass sometimes. With fewer of them bands covered too rarely. */
const FEWEST_WAVERING = 10;

/**
 * Computes pass@k and pass^k with bands for the same tasks run again. A task's variance is its squared figure minus the same
 * figure for 2k attempts, which is unbiased. A band therefore needs twice the attempts that its value needs.
 * @returns points in ascending k; `no-tasks`; bands are `too-few-attempts` where a task has fewer than 2k attempts, and beyond k =
 * 1 where fewer than ten tasks pass sometimes; `no-variation` where none does
 * @see Hoeffding, "A Class of Statistics with Asymptotically Normal Distribution" (1948), variance of a U-statistic
 */
export function computeFixedTaskCurve(tasks: readonly TaskCounts[]): FixedTaskCurve | Unavailable {
  if (tasks.length === 0) return declareUnavailable("no-tasks");
  const maxK = tasks.reduce((most, { n }) => Math.max(most, n), 0);
  const points = selectKs(maxK).map((k) => {
    const usable = tasks.filter(({ n }) => n >= k);
    // pass@k fails exactly where all k attempts fail.
    const allFail = describeMean(
      usable.map(({ task, n, c }) => ({ task, n, c: n - c })),
      k,
    );
    return {
      k,
      nTasks: usable.length,
      passAtK: {
        value: usable.reduce((sum, { n, c }) => sum + (computePassAtK(n, c, k) ?? 0), 0) / usable.length,
        bounds: mirror(allFail.bounds),
      },
      passHatK: describeMean(usable, k),
    };
  });
  return {
    kind: "computed",
    estimand: "same-tasks",
    method: "within-task-t",
    points,
    nTasks: tasks.length,
    level: LEVEL,
  };
}

function mirror(bounds: FixedTaskBounds | Unavailable): FixedTaskBounds | Unavailable {
  return bounds.kind === "unavailable" ? bounds : { ...bounds, low: 1 - bounds.high, high: 1 - bounds.low };
}

function describeMean(tasks: readonly TaskCounts[], k: number): FixedTaskValue {
  const value = tasks.reduce((sum, { n, c }) => sum + (computePassHatK(n, c, k) ?? 0), 0) / tasks.length;
  return { value, bounds: computeBounds(tasks, k, value) };
}

/** Counts tasks where some sets of k attempts all pass and others do not, as far as 2k attempts can tell. */
function countWavering(tasks: readonly TaskCounts[], k: number): number {
  return tasks.filter(({ n, c }) => c >= k && c < n).length;
}

function computeBounds(
  tasks: readonly TaskCounts[],
  k: number,
  value: number,
): FixedTaskBounds | Unavailable {
  let sum = 0;
  let squares = 0;
  for (const { n, c } of tasks) {
    const ofTwice = computePassHatK(n, c, 2 * k);
    if (ofTwice === null) return declareUnavailable("too-few-attempts");
    const variance = Math.max(0, (computePassHatK(n, c, k) ?? 0) ** 2 - ofTwice);
    sum += variance;
    squares += variance ** 2 / (n - 1);
  }
  // Zero observed variance is no evidence about how often tasks vary, so there is no interval.
  if (sum <= 1e-18) return declareUnavailable("no-variation");
  if (k > 1 && countWavering(tasks, k) < FEWEST_WAVERING) return declareUnavailable("too-few-attempts");
  const df = sum ** 2 / squares;
  const standardError = Math.sqrt(sum) / tasks.length;
  const half = computeTQuantile(0.5 + LEVEL / 2, df) * standardError;
  return {
    kind: "computed",
    low: Math.max(0, value - half),
    high: Math.min(1, value + half),
    standardError,
    df,
  };
}
