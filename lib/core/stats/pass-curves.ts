import { RESAMPLES, computePercentileLimits } from "./bootstrap";
import { type DifferenceBounds, computeDifferenceBounds, computeMeanDifference } from "./difference-bounds";
import { computeTQuantile } from "./distributions";
import { type MeanBounds, computeMeanInterval } from "./mean-interval";
import { DEFAULT_SEED, RANDOM_NAME } from "./random";
import {
  type ClusteredRate,
  LEVEL,
  type Limits,
  computeEffectiveN,
  computeFewDifferenceLimits,
  computeFewEventLimits,
  computeOneSidedReach,
  computeSharedLevel,
  hasFewDifferences,
  hasFewEvents,
} from "./rate-interval";
import {
  type MissingRule,
  ROUNDING,
  type TaskValues,
  computeMean,
  computeMeanVariance,
  pairTasks,
  sortByTask,
} from "./task-values";
import { type Computed, type Unavailable, declareUnavailable } from "./unavailable";

/**
 * A pointwise band. At k = 1 it is the interval of {@link MeanBounds}, or of {@link DifferenceBounds}. `percentile-bootstrap`:
 * tasks resampled whole. `cluster-wilson`, `agresti-min`: few passes, failures or differences. `exact-bound`: all tasks have the
 * same extreme value.
 */
export interface CurveBand {
  readonly kind: "computed";
  readonly low: number;
  readonly high: number;
  readonly method: "percentile-bootstrap" | MeanBounds["method"] | DifferenceBounds["method"];
}

export interface CurveValue {
  /** 0 to 1; for a difference -1 to 1. */
  readonly value: number;
  readonly band: CurveBand | Unavailable;
}

export interface CurvePoint {
  readonly k: number;
  /** Tasks with at least k attempts (on both sides, for a difference). */
  readonly nTasks: number;
  readonly passAtK: CurveValue;
  readonly passHatK: CurveValue;
}

/** Every k up to this many; beyond it, four steps per doubling. */
const DENSE_KS = 16;

/** Returns the k from 1 to `maxK` at which a curve is computed, both ends included. */
export function selectKs(maxK: number): readonly number[] {
  const all = Array.from({ length: maxK }, (_, index) => index + 1);
  if (maxK <= DENSE_KS) return all;
  const isStep = (k: number) => k % 2 ** Math.max(0, Math.floor(Math.log2(k)) - 2) === 0;
  return all.filter((k) => k === maxK || isStep(k));
}

export interface BandOptions {
  readonly seed?: number;
  readonly resamples?: number;
}

/**
 * Computes pass@k and pass^k of one group with pointwise bands. At k = 1 both are the mean of task means of `computeMeanInterval`,
 * with its interval.
 * @returns points in ascending k; `no-tasks` without tasks
 * @remarks O(resamples x tasks x k)
 */
export function computePassCurve(
  tasks: readonly TaskCounts[],
  options: BandOptions = {},
): PassCurve | Unavailable {
  if (tasks.length === 0) return declareUnavailable("no-tasks");
  const maxK = tasks.reduce((most, task) => Math.max(most, task.n), 0);
  const ks = selectKs(maxK);
  const rows = sortByTask(tasks).map((task) => [
    ...ks.map((k) => computePassAtK(task.n, task.c, k)),
    ...ks.map((k) => computePassHatK(task.n, task.c, k)),
  ]);
  return createCurve(rows, ks, { low: 0, high: 1 }, { ...options, boundMean: () => boundMean(tasks) });
}

/** pass@1 is the mean of task means of passes, so it has that mean's interval. */
function boundMean(tasks: readonly TaskCounts[]): MeanBounds | Unavailable {
  if (tasks.length === 1) return declareUnavailable("one-task");
  const passes = tasks.map(({ task, n, c }) => ({
    task,
    values: Array.from({ length: n }, (_, attempt) => (attempt < c ? 1 : 0)),
  }));
  const mean = computeMeanInterval(passes, { missing: "zero" });
  return mean.kind === "unavailable" ? mean : mean.macroBounds;
}

/**
 * Computes the difference of two groups' curves, first minus second, over their common tasks. Both sides of a task are resampled
 * together; k = 1 has the interval of `computePairedComparison`.
 * @returns points in ascending k up to the largest that some common task allows on both sides; `no-common-tasks`
 */
export function computePassDifference(
  first: readonly TaskCounts[],
  second: readonly TaskCounts[],
  options: BandOptions & { readonly nComparisons?: number } = {},
): PassCurve | Unavailable {
  const pairs = pairTasks(sortByTask(first), second);
  if (pairs.length === 0) return declareUnavailable("no-common-tasks");
  const maxK = pairs.reduce((most, { first: a, second: b }) => Math.max(most, Math.min(a.n, b.n)), 0);
  const ks = selectKs(maxK);
  const rows = pairs.map(({ first: a, second: b }) => [
    ...ks.map((k) => subtract(computePassAtK(a.n, a.c, k), computePassAtK(b.n, b.c, k))),
    ...ks.map((k) => subtract(computePassHatK(a.n, a.c, k), computePassHatK(b.n, b.c, k))),
  ]);
  const { seed = DEFAULT_SEED, nComparisons = 1 } = options;
  const boundMean = (cells: readonly number[]) =>
    computeDifferenceBounds(cells, { isRate: true, seed, nComparisons });
  return createCurve(rows, ks, { low: -1, high: 1 }, { ...options, boundMean });
}

function subtract(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

type Row = readonly (number | null)[];

interface CurveOptions extends BandOptions {
  readonly nComparisons?: number;
  readonly boundMean: (cells: readonly number[]) => MeanBounds | DifferenceBounds | Unavailable;
}

/** pass@k and pass^k from k = 1 to the largest number of attempts on a task, at the k of {@link selectKs}. */
export type PassCurve = ReturnType<typeof createCurve>;

function createCurve(rows: readonly Row[], ks: readonly number[], range: Limits, options: CurveOptions) {
  const { seed = DEFAULT_SEED, resamples = RESAMPLES, nComparisons = 1 } = options;
  const level = computeSharedLevel(nComparisons);
  // At k = 1 the band is that of the mean, so a curve of single attempts needs no resampling.
  const limits = ks.some((k) => k > 1) ? computePercentileLimits(rows, { seed, resamples, level }) : [];
  // For single attempts both measures are the mean of all tasks.
  const ofMean = pickBand(options.boundMean(rows.flatMap((row) => row[0] ?? [])));
  const createValue = (column: number, k: number): CurveValue => {
    const known = rows.flatMap((row) => row[column] ?? []);
    const band = k === 1 ? ofMean : createBand(known, limits[column] ?? null, range, level);
    return { value: range.low < 0 ? computeMeanDifference(known) : computeMean(known), band };
  };
  const points = ks.map((k, index) => ({
    k,
    nTasks: rows.filter((row) => (row[index] ?? null) !== null).length,
    passAtK: createValue(index, k),
    passHatK: createValue(ks.length + index, k),
  }));
  return {
    kind: "computed",
    estimand: "new-tasks",
    nTasks: rows.length,
    points,
    /** Level of each band alone: 0.95, or more where several differences hold jointly at 0.95. */
    level,
    nComparisons,
    resamples,
    seed,
    generator: RANDOM_NAME,
  } as const;
}

function pickBand(bounds: MeanBounds | DifferenceBounds | Unavailable): CurveBand | Unavailable {
  if (bounds.kind === "unavailable") return bounds;
  const { kind, low, high, method } = bounds;
  return { kind, low, high, method };
}

function createBand(
  cells: readonly number[],
  limits: Limits | null,
  range: Limits,
  level: number,
): CurveBand | Unavailable {
  const first = cells[0];
  if (first === undefined) return declareUnavailable("no-task-with-enough-attempts");
  if (cells.length === 1) return declareUnavailable("one-task");
  if (cells.every((cell) => Math.abs(cell - first) <= ROUNDING))
    return createExactBand(first, cells.length, range, level);
  if (limits === null) return declareUnavailable("no-variation");
  const few = range.low === 0 ? boundFewEvents(cells) : boundFewDifferences(cells, level);
  if (few !== null) return few;
  return { kind: "computed", ...limits, method: "percentile-bootstrap" };
}

function boundFewEvents(cells: readonly number[]): CurveBand | null {
  const mean = computeMean(cells);
  const error = Math.sqrt(computeMeanVariance(cells));
  if (mean <= 0 || mean >= 1 || error <= ROUNDING) return null;
  const rate: ClusteredRate = { mean, error, nTasks: cells.length };
  const effectiveN = computeEffectiveN(rate);
  return hasFewEvents(mean, effectiveN)
    ? { kind: "computed", ...computeFewEventLimits(rate, effectiveN), method: "cluster-wilson" }
    : null;
}

function boundFewDifferences(cells: readonly number[], level: number): CurveBand | null {
  if (!hasFewDifferences(cells)) return null;
  return { kind: "computed", ...computeFewDifferenceLimits(cells, 1, level), method: "agresti-min" };
}

function createExactBand(value: number, n: number, range: Limits, level: number): CurveBand | Unavailable {
  const reach = computeOneSidedReach(n, level);
  const width = (range.high - range.low) * reach;
  const method = "exact-bound";
  const isAt = (end: number) => Math.abs(value - end) <= ROUNDING;
  if (isAt(range.low)) return { kind: "computed", low: value, high: value + width, method };
  if (isAt(range.high)) return { kind: "computed", low: value - width, high: value, method };
  // No task differs: the share of tasks that would differ is at most `reach`, in either direction.
  if (isAt(0)) return { kind: "computed", low: -reach, high: reach, method };
  return declareUnavailable("no-variation");
}

export interface TaskCounts {
  readonly task: string;
  /** Attempts, at least 1. */
  readonly n: number;
  /** Successes, 0 to n. */
  readonly c: number;
}

/**
 * Counts attempts and successes per task, in order. Omits a task that the missing rule leaves without values.
 * @param options.threshold - an attempt passes when its value is at least this
 */
export function countSuccesses(
  tasks: readonly TaskValues[],
  options: { readonly threshold: number; readonly missing: MissingRule },
): readonly TaskCounts[] {
  return tasks.flatMap(({ task, values }) => {
    const known = values.filter((value) => value !== null && !Number.isNaN(value));
    const n = options.missing === "zero" ? values.length : known.length;
    // A missing value never passes, not even with a threshold of 0 or less.
    const c = known.filter((value) => value !== null && value >= options.threshold).length;
    return n === 0 ? [] : [{ task, n, c }];
  });
}

/**
 * Returns the chance that at least one of `k` of `n` attempts passes, 1 - C(n - c, k) / C(n, k); null unless k is from 1 to n.
 * @see Chen et al., "Evaluating Large Language Models Trained on Code" (2021), equation 1
 */
export function computePassAtK(n: number, c: number, k: number): number | null {
  if (k < 1 || k > n) return null;
  // The product below would differ from pass^1 and the mean in its last bits.
  if (k === 1) return c / n;
  if (n - c < k) return 1;
  let allFail = 1;
  for (let i = n - c + 1; i <= n; i++) allFail *= 1 - k / i;
  return 1 - allFail;
}

/**
 * Returns the chance that all of `k` of `n` attempts pass, C(c, k) / C(n, k); null unless k is from 1 to n.
 * @see Yao et al., "tau-bench" (2024), pass^k
 */
export function computePassHatK(n: number, c: number, k: number): number | null {
  if (k < 1 || k > n) return null;
  if (c < k) return 0;
  let allPass = 1;
  for (let i = 0; i < k; i++) allPass *= (c - i) / (n - i);
  return allPass;
}

export interface FixedTaskValue {
  readonly value: number;
  readonly bounds: FixedTaskBounds | Unavailable;
}

/** Beyond k = 1 the variance comes from tasks that pass sometimes. With fewer of them bands covered too rarely. */
const FEWEST_WAVERING = 10;

export type FixedTaskCurve = Computed<typeof computeFixedTaskCurve>;

/**
 * Computes pass@k and pass^k with bands for the same tasks run again. A task's variance is its squared figure minus the same
 * figure for 2k attempts, which is unbiased. A band therefore needs twice the attempts that its value needs.
 * @returns points in ascending k; `no-tasks`; bands are `too-few-attempts` where a task has fewer than 2k attempts, and beyond k =
 * 1 where fewer than ten tasks pass sometimes; `no-variation` where none does
 * @see Hoeffding, "A Class of Statistics with Asymptotically Normal Distribution" (1948), variance of a U-statistic
 */
export function computeFixedTaskCurve(tasks: readonly TaskCounts[]) {
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
  } as const;
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

export type FixedTaskBounds = Computed<typeof computeBounds>;

function computeBounds(tasks: readonly TaskCounts[], k: number, value: number) {
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
  } as const;
}
