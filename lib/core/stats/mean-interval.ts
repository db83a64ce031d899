import { computeTQuantile } from "./distributions";
import {
  type ClusteredRate,
  LEVEL,
  type Limits,
  computeClopperPearsonInterval,
  computeEffectiveN,
  computeFewEventLimits,
  computeOneSidedReach,
  hasFewEvents,
} from "./rate-interval";
import {
  type CompleteTask,
  type MissingRule,
  ROUNDING,
  type TaskValues,
  applyMissingRule,
  computeMean,
  computeMeanVariance,
  computeSize,
  sortByTask,
} from "./task-values";
import { type Computed, type Unavailable, declareUnavailable } from "./unavailable";

/** A repetition draws `new-tasks` of the same kind, or runs the `same-tasks` again. */
export type Estimand = "new-tasks" | "same-tasks";

/**
 * An interval around a mean. `cluster-t`: tasks as clusters. `cluster-wilson`: few passes or failures, see
 * `computeFewEventLimits`. `trial-t`: over the trials of the only task. `one-sided`: all values are 0 or all are 1.
 * `clopper-pearson`: exact, tasks as cases.
 */
export interface MeanBounds {
  readonly kind: "computed";
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: "cluster-t" | "cluster-wilson" | "trial-t" | "one-sided" | "clopper-pearson";
  readonly estimand: Estimand;
  readonly standardError: number | null;
  /** Half the width before clipping at 0 and 1, for `±`; null where the method is not symmetric. */
  readonly halfWidth: number | null;
  readonly df: number | null;
}

export type MeanInterval = Computed<typeof computeMeanInterval>;

/**
 * Computes the mean of a group's values with a 95 % interval that treats tasks as the sample. Tasks without values count in
 * neither mean.
 * @returns `no-tasks` without tasks, `no-values` when the rule leaves nothing, `not-finite` with an infinite value or square
 * @see Miller, "Adding Error Bars to Evals" (2024); the factor C / (C - 1) as in Inspect, and t
 */
export function computeMeanInterval(
  tasks: readonly TaskValues[],
  options: { readonly missing: MissingRule },
) {
  if (tasks.length === 0) return declareUnavailable("no-tasks");
  const { tasks: counted, nMissing } = applyMissingRule(tasks, options.missing);
  // A fixed order: sums in another order differ in their last bits, so pages would disagree.
  const complete = sortByTask(counted).map(({ task, values }) => ({
    task,
    values: values.toSorted((a, b) => a - b),
  }));
  const values = complete.flatMap((task) => task.values);
  if (values.length === 0) return declareUnavailable("no-values");
  if (!values.every(Number.isFinite)) return declareUnavailable("not-finite");
  const mean = computeMean(values);
  const taskMeans = complete.map((task) => computeMean(task.values));
  const macroMean = computeMean(taskMeans);
  const clusterError = computeClusterError(complete, mean, values.length);
  // Sums and squares of values near the largest double overflow.
  if (!Number.isFinite(mean) || (complete.length > 1 && !Number.isFinite(clusterError)))
    return declareUnavailable("not-finite");
  const macroError = Math.sqrt(computeMeanVariance(taskMeans));
  // Tasks with equal sums leave only rounding between them.
  const size = computeSize(values);
  const shown = isVariation(clusterError, size) ? clusterError : 0;
  const naiveVariance = computeMeanVariance(values);
  return {
    kind: "computed",
    /** Every trial weighs the same, as in Harbor's metric. Not bit-identical to Harbor: the scoring core is. */
    mean,
    bounds: computeBounds({ mean, error: clusterError, values, nTasks: complete.length }),
    /** Every task weighs the same. Equal to `mean` when all tasks have as many values. */
    macroMean,
    macroBounds: computeBounds({ mean: macroMean, error: macroError, values, nTasks: complete.length }),
    n: values.length,
    nTasks: complete.length,
    /** Missing values before the rule was applied. */
    nMissing,
    missing: options.missing,
    /** Variance of the mean over that of as many independent trials; null when it cannot be computed. */
    designEffect:
      complete.length > 1 && isVariation(Math.sqrt(naiveVariance), size) ? shown ** 2 / naiveVariance : null,
  } as const;
}

function computeClusterError(tasks: readonly CompleteTask[], mean: number, n: number): number {
  const c = tasks.length;
  const sum = tasks.reduce((total, task) => {
    const residual = task.values.reduce((inner, value) => inner + (value - mean), 0);
    return total + residual * residual;
  }, 0);
  return Math.sqrt((c / (c - 1)) * sum) / n;
}

interface BoundsInput {
  readonly mean: number;
  readonly error: number;
  readonly values: readonly number[];
  readonly nTasks: number;
}

/** Squares of smaller numbers underflow, to 0 in one weighting and not in the other. */
const SMALLEST_ERROR = 1e-150;

function isVariation(error: number, size: number): boolean {
  return error > Math.max(ROUNDING * size, SMALLEST_ERROR);
}

function computeBounds({ mean, error, values, nTasks }: BoundsInput): MeanBounds | Unavailable {
  const isRate = values.every((value) => value >= 0 && value <= 1);
  const estimand: Estimand = nTasks > 1 ? "new-tasks" : "same-tasks";
  const nCases = nTasks > 1 ? nTasks : values.length;
  const reach = computeOneSidedReach(nCases);
  if (values.every((value) => value === 0))
    return createBounds({ low: 0, high: reach }, { method: "one-sided", estimand });
  if (values.every((value) => value === 1))
    return createBounds({ low: 1 - reach, high: 1 }, { method: "one-sided", estimand });
  if (nTasks === 1) return computeTrialBounds(mean, values, isRate);
  if (isVariation(error, computeSize(values))) {
    const isBinary = values.every((value) => value === 0 || value === 1);
    const effectiveN = Math.min(values.length, computeEffectiveN({ mean, error, nTasks }));
    return isBinary && hasFewEvents(mean, effectiveN)
      ? createFewEventBounds({ mean, error, nTasks }, effectiveN)
      : createTBounds({ mean, error, df: nTasks - 1, isRate, method: "cluster-t", estimand });
  }
  const exact = isRate
    ? computeClopperPearsonInterval(mean * nTasks, nTasks)
    : declareUnavailable("no-variation");
  if (exact.kind === "unavailable") return declareUnavailable("no-variation");
  return createBounds(exact, { method: "clopper-pearson", estimand });
}

function computeTrialBounds(
  mean: number,
  values: readonly number[],
  isRate: boolean,
): MeanBounds | Unavailable {
  if (values.length === 1) return declareUnavailable("one-value");
  const error = Math.sqrt(computeMeanVariance(values));
  if (values.every((value) => value === 0 || value === 1)) {
    const exact = computeClopperPearsonInterval(mean * values.length, values.length);
    if (exact.kind === "computed")
      return createBounds(exact, { method: "clopper-pearson", estimand: "same-tasks" });
  }
  if (!isVariation(error, computeSize(values))) return declareUnavailable("no-variation");
  const df = values.length - 1;
  return createTBounds({ mean, error, df, isRate, method: "trial-t", estimand: "same-tasks" });
}

function createBounds(
  { low, high }: Limits,
  named: Pick<MeanBounds, "method" | "estimand">,
  spread: Partial<Pick<MeanBounds, "standardError" | "halfWidth" | "df">> = {},
): MeanBounds {
  const none = { standardError: null, halfWidth: null, df: null };
  return { kind: "computed", low, high, level: LEVEL, ...named, ...none, ...spread };
}

function createFewEventBounds(rate: ClusteredRate, effectiveN: number): MeanBounds {
  const named = { method: "cluster-wilson", estimand: "new-tasks" } as const;
  const spread = { standardError: rate.error, df: rate.nTasks - 1 };
  return createBounds(computeFewEventLimits(rate, effectiveN), named, spread);
}

function createTBounds({
  mean,
  error,
  df,
  isRate,
  ...named
}: Pick<MeanBounds, "method" | "estimand"> & {
  readonly mean: number;
  readonly error: number;
  readonly df: number;
  readonly isRate: boolean;
}): MeanBounds {
  const halfWidth = computeTQuantile(0.5 + LEVEL / 2, df) * error;
  const [low, high] = [mean - halfWidth, mean + halfWidth];
  // A mean of values in 0 to 1 is in 0 to 1, so clipping the interval there loses no coverage.
  const limits = isRate ? { low: Math.max(0, low), high: Math.min(1, high) } : { low, high };
  return createBounds(limits, named, { standardError: error, halfWidth, df });
}

export type MeanErrors = Computed<typeof computeMeanErrors>;

/**
 * Computes naive and clustered standard errors, the design effect, and the interval for the same tasks run again.
 * @returns the reasons of `computeMeanInterval`; `one-task`; `no-variation` where all values are equal
 * @see Miller, "Adding Error Bars to Evals" (2024), sections 2 and 3
 */
export function computeMeanErrors(tasks: readonly TaskValues[], options: { readonly missing: MissingRule }) {
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
    /** Assumes independent trials: too small wherever a task's trials resemble each other. */
    naive,
    /** Tasks as clusters, with the factor C / (C - 1). */
    clustered: naive * Math.sqrt(interval.designEffect),
    /** Clustered over naive variance: the factor by which clustering raises the number of trials needed. */
    designEffect: interval.designEffect,
    /** Independent trials with the same information; null where all tasks are equal, which leaves it undefined. */
    effectiveN: interval.designEffect === 0 ? null : interval.n / interval.designEffect,
    sameTasks: computeSameTasksBounds(complete, interval.macroMean),
    n: interval.n,
    nTasks: interval.nTasks,
    nMissing: interval.nMissing,
    missing: options.missing,
  } as const;
}

function computeSameTasksBounds(tasks: readonly CompleteTask[], macroMean: number) {
  if (tasks.some(({ values }) => values.length < 2)) return declareUnavailable("too-few-attempts");
  const variances = tasks.map(({ values }) => computeMeanVariance(values));
  const sum = computeMean(variances) * tasks.length;
  // Zero observed variance is no evidence about how often tasks vary, so there is no interval.
  const size = computeSize(tasks.flatMap(({ values }) => values));
  if (sum <= (ROUNDING * size) ** 2 * tasks.length) return declareUnavailable("no-variation");
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
  } as const;
}
