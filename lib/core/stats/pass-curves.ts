import { computePercentileLimits, RESAMPLES, type TaskTable } from "./bootstrap";
import { computeDifferenceBounds, computeMeanDifference, type DifferenceBounds } from "./difference-bounds";
import {
  computeEffectiveN,
  computeFewDifferenceLimits,
  computeFewEventLimits,
  hasFewDifferences,
  hasFewEvents,
} from "./few-events";
import type { ClusteredRate } from "./few-events";
import { computeMeanInterval, type MeanBounds } from "./mean-interval";
import { computePassAtK, computePassHatK, type TaskCounts } from "./pass-at-k";
import { DEFAULT_SEED, RANDOM_NAME } from "./random";
import { computeOneSidedReach, computeSharedLevel, type Limits } from "./rate-interval";
import { computeMean, computeMeanVariance, pairTasks, sortByTask } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

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

/** pass@k and pass^k from k = 1 to the largest number of attempts on a task, at the k of {@link selectKs}. */
export interface PassCurve {
  readonly kind: "computed";
  readonly estimand: "new-tasks";
  readonly nTasks: number;
  readonly points: readonly CurvePoint[];
  /** Level of each band alone: 0.95, or more where several differences hold jointly at 0.95. */
  readonly level: number;
  readonly nComparisons: number;
  readonly resamples: number;
  readonly seed: number;
  readonly generator: string;
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

const ROUNDING = 1e-12;

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

function createCurve(
  rows: readonly Row[],
  ks: readonly number[],
  range: Limits,
  options: CurveOptions,
): PassCurve {
  const { seed = DEFAULT_SEED, resamples = RESAMPLES, nComparisons = 1 } = options;
  const level = computeSharedLevel(nComparisons);
  const table: TaskTable = {
    cells: Float64Array.from(rows.flatMap((row) => row.map((cell) => cell ?? Number.NaN))),
    nRows: rows.length,
    nColumns: ks.length * 2,
  };
  // At k = 1 the band is that of the mean, so a curve of single attempts needs no resampling.
  const limits = ks.some((k) => k > 1) ? computePercentileLimits(table, { seed, resamples, level }) : [];
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
    level,
    nComparisons,
    resamples,
    seed,
    generator: RANDOM_NAME,
  };
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
