import { computeTQuantile } from "./distributions";
import { computeMeanInterval } from "./mean-interval";
import { LEVEL } from "./rate-interval";
import { applyMissingRule, computeMean, computeMeanVariance, computeSize } from "./task-values";
import type { CompleteTask, MissingRule, TaskValues } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface SameTasksBounds {
  readonly kind: "computed";
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: "within-task-t";
  readonly estimand: "same-tasks";
  readonly standardError: number;
  readonly df: number;
}

export interface MeanErrors {
  readonly kind: "computed";
  readonly mean: number;
  readonly macroMean: number;
  /** Assumes independent trials: too small wherever a task's trials resemble each other. */
  readonly naive: number;
  /** Tasks as clusters, with the factor C / (C - 1). */
  readonly clustered: number;
  /** Clustered over naive variance: the factor by which clustering raises the number of trials needed. */
  readonly designEffect: number;
  /** Independent trials with the same information; null where all tasks are equal, which leaves it undefined. */
  readonly effectiveN: number | null;
  readonly sameTasks: SameTasksBounds | Unavailable;
  readonly n: number;
  readonly nTasks: number;
  readonly nMissing: number;
  readonly missing: MissingRule;
}

/**
 * Computes naive and clustered standard errors, the design effect, and the interval for the same tasks run again.
 * @returns the reasons of `computeMeanInterval`; `one-task`; `no-variation` where all values are equal
 * @see Miller, "Adding Error Bars to Evals" (2024), sections 2 and 3
 */
export function computeMeanErrors(
  tasks: readonly TaskValues[],
  options: { readonly missing: MissingRule },
): MeanErrors | Unavailable {
  const interval = computeMeanInterval(tasks, options);
  if (interval.kind === "unavailable") return interval;
  if (interval.nTasks === 1) return declareUnavailable("one-task");
  if (interval.designEffect === null) return declareUnavailable("no-variation");
  const complete = applyMissingRule(tasks, options.missing).tasks;
  const values = complete.flatMap((task) => task.values);
  const naive = Math.sqrt(computeMeanVariance(values));
  return {
    kind: "computed",
    mean: interval.mean,
    macroMean: interval.macroMean,
    naive,
    clustered: naive * Math.sqrt(interval.designEffect),
    designEffect: interval.designEffect,
    effectiveN: interval.designEffect === 0 ? null : interval.n / interval.designEffect,
    sameTasks: computeSameTasksBounds(complete, interval.macroMean),
    n: interval.n,
    nTasks: interval.nTasks,
    nMissing: interval.nMissing,
    missing: options.missing,
  };
}

function computeSameTasksBounds(
  tasks: readonly CompleteTask[],
  macroMean: number,
): SameTasksBounds | Unavailable {
  if (tasks.some(({ values }) => values.length < 2)) return declareUnavailable("too-few-attempts");
  const variances = tasks.map(({ values }) => computeMeanVariance(values));
  const sum = computeMean(variances) * tasks.length;
  // Zero observed variance is no evidence about how often tasks vary, so there is no interval.
  const size = computeSize(tasks.flatMap(({ values }) => values));
  if (sum <= (1e-12 * size) ** 2 * tasks.length) return declareUnavailable("no-variation");
  const df =
    sum ** 2 /
    variances.reduce((total, v, index) => total + v ** 2 / ((tasks[index]?.values.length ?? 2) - 1), 0);
  const standardError = Math.sqrt(sum) / tasks.length;
  const half = computeTQuantile(0.5 + LEVEL / 2, df) * standardError;
  const isRate = tasks.every(({ values }) => values.every((value) => value >= 0 && value <= 1));
  return {
    kind: "computed",
    low: isRate ? Math.max(0, macroMean - half) : macroMean - half,
    high: isRate ? Math.min(1, macroMean + half) : macroMean + half,
    level: LEVEL,
    method: "within-task-t",
    estimand: "same-tasks",
    standardError,
    df,
  };
}
