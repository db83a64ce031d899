import { type ResampleOptions, type Weights, computeResampledFigures, createColumnSums } from "./bootstrap";
import { ROUNDING, type TaskValues, pairTasks, sortByTask } from "./task-values";
import { type Computed, declareUnavailable } from "./unavailable";

/** Returns US dollars per passed trial, over all trials of known cost; null if none of them passed. */
export function computeCostPerPass(
  trials: readonly { readonly costUsd: number | null; readonly isPassed: boolean }[],
): number | null {
  const known = trials.filter(({ costUsd }) => costUsd !== null);
  const nPassed = known.filter(({ isPassed }) => isPassed).length;
  return nPassed === 0 ? null : known.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0) / nPassed;
}

export interface TaskRatio {
  readonly task: string;
  /** Null is unknown, which is not 0: the whole task is excluded and counted. */
  readonly numerator: number | null;
  readonly denominator: number | null;
}

function keepKnown(tasks: readonly TaskRatio[]) {
  return tasks.flatMap(({ task, numerator, denominator }) =>
    numerator !== null && denominator !== null && Number.isFinite(numerator) && Number.isFinite(denominator)
      ? [{ task, numerator, denominator }]
      : [],
  );
}

/** NaN for a denominator of 0: a cost per solve without a solve is unknown, not infinite. */
function divide(numerator: number | undefined, denominator: number | undefined): number {
  const ratio = (numerator ?? 0) / (denominator ?? 0);
  return Number.isFinite(ratio) ? ratio : Number.NaN;
}

export type RatioInterval = Computed<typeof computeRatioInterval>;

/**
 * Computes a ratio of sums over tasks, such as cost per solve, with a bootstrap interval that resamples whole tasks.
 * @returns `no-known-values` without a task of which both are known, `undefined-figure` where the denominators sum to 0
 * @see Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), sections 10.3 and 14.3
 */
export function computeRatioInterval(tasks: readonly TaskRatio[], options: ResampleOptions = {}) {
  const known = sortByTask(keepKnown(tasks));
  if (known.length === 0) return declareUnavailable("no-known-values");
  const sumColumns = createColumnSums(known.map(({ numerator, denominator }) => [numerator, denominator]));
  const compute = (weights: Weights, figures: Float64Array) => {
    const drawn = sumColumns(weights);
    figures[0] = divide(drawn[0], drawn[1]);
  };
  const [figure] = computeResampledFigures({ nRows: known.length, nFigures: 1, compute }, options);
  if (figure === undefined || Number.isNaN(figure.value)) return declareUnavailable("undefined-figure");
  return {
    kind: "computed",
    ratio: figure.value,
    bounds: figure.bounds,
    nTasks: known.length,
    nUnknown: tasks.length - known.length,
    missing: "exclude",
  } as const;
}

export type RatioDifference = Computed<typeof computeRatioDifference>;

/**
 * Computes the difference of two groups' ratios over the tasks known in both, resampling both sides of a task together.
 * @returns `no-common-tasks`, or `undefined-figure` where a side's denominators sum to 0
 */
export function computeRatioDifference(
  first: readonly TaskRatio[],
  second: readonly TaskRatio[],
  options: ResampleOptions = {},
) {
  const pairs = pairTasks(sortByTask(keepKnown(first)), keepKnown(second)).map(({ first: a, second: b }) => [
    a.numerator,
    a.denominator,
    b.numerator,
    b.denominator,
  ]);
  if (pairs.length === 0) return declareUnavailable("no-common-tasks");
  const names = new Set(first.map(({ task }) => task));
  const nCommon = second.filter(({ task }) => names.has(task)).length;
  const sumColumns = createColumnSums(pairs);
  const divideSides = (sums: Float64Array) => [divide(sums[0], sums[1]), divide(sums[2], sums[3])] as const;
  const [ownRatio, otherRatio] = divideSides(sumColumns(new Uint16Array(pairs.length).fill(1)));
  const compute = (weights: Weights, figures: Float64Array) => {
    const [own, other] = divideSides(sumColumns(weights));
    figures[0] = own - other;
  };
  const size = Math.max(Math.abs(ownRatio), Math.abs(otherRatio));
  const [figure] = computeResampledFigures({ nRows: pairs.length, nFigures: 1, size, compute }, options);
  if (figure === undefined || Number.isNaN(figure.value)) return declareUnavailable("undefined-figure");
  return {
    kind: "computed",
    first: ownRatio,
    second: otherRatio,
    difference: figure.value,
    bounds: figure.bounds,
    nTasks: pairs.length,
    nUnknown: nCommon - pairs.length,
    missing: "exclude",
  } as const;
}

/** Mean, median and 90th percentile of costs, durations or token counts, in the unit of the values. */
export type SkewedIntervals = Computed<typeof computeSkewedIntervals>;

/**
 * Computes mean, median and 90th percentile over all known values, with bootstrap intervals that resample whole tasks.
 * @returns `no-known-values` when nothing was reported
 * @see Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996), type 7
 * @remarks O(resamples x values)
 */
export function computeSkewedIntervals(tasks: readonly TaskValues[], options: ResampleOptions = {}) {
  const known = tasks
    .map(({ values }) => values.filter((value) => value !== null && Number.isFinite(value)))
    .filter((values) => values.length > 0);
  // Sorted once; a resample only counts occurrences of each value.
  const cells = known
    .flatMap((values, row) => values.flatMap((value) => (value === null ? [] : [{ value, row }])))
    .sort((a, b) => a.value - b.value);
  if (cells.length === 0) return declareUnavailable("no-known-values");
  const sorted = Float64Array.from(cells, ({ value }) => value);
  const rows = Int32Array.from(cells, ({ row }) => row);
  const compute = (weights: Weights, figures: Float64Array) => {
    let n = 0;
    let sum = 0;
    for (let i = 0; i < sorted.length; i++) {
      const weight = weights[rows[i] ?? 0] ?? 0;
      n += weight;
      sum += weight * (sorted[i] ?? 0);
    }
    figures[0] = sum / n;
    figures[1] = readWeightedQuantile(sorted, rows, weights, 0.5 * (n - 1));
    figures[2] = readWeightedQuantile(sorted, rows, weights, 0.9 * (n - 1));
  };
  const size = Math.max(Math.abs(sorted[0] ?? 0), Math.abs(sorted.at(-1) ?? 0));
  const source = { nRows: known.length, nFigures: 3, compute, size };
  const [mean, median, p90] = computeResampledFigures(source, options);
  if (mean === undefined || median === undefined || p90 === undefined) return declareUnavailable("no-values");
  return {
    kind: "computed",
    mean,
    median,
    p90,
    n: cells.length,
    nTasks: known.length,
    /** Missing values; 0 is not missing. */
    nUnknown: tasks.reduce((sum, { values }) => sum + values.length, 0) - cells.length,
    missing: "exclude",
  } as const;
}

/** Returns the value at a rank, from 0, among sorted values, each repeated as often as its row was drawn. */
function readWeightedQuantile(
  sorted: Float64Array,
  rows: Int32Array,
  weights: Weights,
  position: number,
): number {
  const below = Math.floor(position);
  let passed = 0;
  let low = Number.NaN;
  for (let i = 0; i < sorted.length; i++) {
    passed += weights[rows[i] ?? 0] ?? 0;
    if (Number.isNaN(low) && passed > below) low = sorted[i] ?? 0;
    if (passed > below + 1 || (passed > below && position === below)) {
      return low + ((sorted[i] ?? 0) - low) * (position - below);
    }
  }
  return low;
}

/** Duration of a trial. A trial stopped by a limit would have run longer, for an unknown time. */
export interface Duration {
  readonly seconds: number;
  readonly isCensored: boolean;
}

/** A quantile of durations, or the longest time it is known to exceed. */
export interface SurvivalQuantile {
  readonly seconds: number;
  readonly isLowerBound: boolean;
}

/** Durations with stopped trials as censored, by Kaplan and Meier. */
export type Survival = Computed<typeof computeSurvival>;

/**
 * Computes median and 90th percentile of durations when some trials were stopped at a limit. Assumes that a stop carries no other
 * information about the duration. `no-known-values` without a duration.
 * @see Kaplan and Meier, "Nonparametric Estimation from Incomplete Observations" (1958)
 */
export function computeSurvival(durations: readonly (Duration | null)[]) {
  const known = durations
    .filter((duration) => duration !== null)
    .filter(({ seconds }) => Number.isFinite(seconds))
    .toSorted((a, b) => a.seconds - b.seconds);
  const longest = known.at(-1);
  if (longest === undefined) return declareUnavailable("no-known-values");
  const steps: { seconds: number; share: number }[] = [];
  let share = 1;
  for (let start = 0; start < known.length;) {
    const seconds = known[start]?.seconds ?? 0;
    let end = start;
    let ended = 0;
    while (known[end]?.seconds === seconds) {
      if (known[end]?.isCensored === false) ended++;
      end++;
    }
    // A trial stopped at this very time was still running when the others ended.
    share *= 1 - ended / (known.length - start);
    if (ended > 0) steps.push({ seconds, share });
    start = end;
  }
  const readQuantile = (p: number): SurvivalQuantile => {
    const step = steps.find((candidate) => candidate.share <= 1 - p + ROUNDING);
    return step === undefined
      ? { seconds: longest.seconds, isLowerBound: true }
      : { seconds: step.seconds, isLowerBound: false };
  };
  return {
    kind: "computed",
    method: "kaplan-meier",
    median: readQuantile(0.5),
    p90: readQuantile(0.9),
    /** The share still running after each time at which a trial ended, times rising. */
    steps,
    n: known.length,
    nCensored: known.filter(({ isCensored }) => isCensored).length,
    /** Missing durations, in no figure here. */
    nUnknown: durations.length - known.length,
    missing: "exclude",
  } as const;
}

/** A group's cost and value. Null is unknown, which is not 0. */
export interface ParetoPoint {
  readonly name: string;
  readonly cost: number | null;
  readonly value: number | null;
}

export type ParetoFrontier = ReturnType<typeof computeParetoFrontier>;

/**
 * Returns the points that no other point dominates. `by` is the cheapest frontier point that beats another.
 * @remarks O(points squared)
 */
export function computeParetoFrontier(points: readonly ParetoPoint[]) {
  const known = points.filter(isKnown);
  const beats = (a: (typeof known)[number], b: (typeof known)[number]) =>
    a.cost <= b.cost && a.value >= b.value && (a.cost < b.cost || a.value > b.value);
  const frontier = known
    .filter((point) => !known.some((other) => beats(other, point)))
    .toSorted((a, b) => a.cost - b.cost || a.value - b.value);
  return {
    /** Names by rising cost, and so by rising value. Points that coincide are all included. */
    frontier: frontier.map(({ name }) => name),
    /** Dominated points: another one costs no more, scores no less, and is better in one of the two. */
    dominated: known.flatMap((point) => {
      const by = frontier.find((other) => beats(other, point));
      return by === undefined ? [] : [{ name: point.name, by: by.name }];
    }),
    unknown: points.filter((point) => !isKnown(point)).map(({ name }) => name),
  };
}

type KnownPoint = ParetoPoint & { readonly cost: number; readonly value: number };

function isKnown(point: ParetoPoint): point is KnownPoint {
  const { cost, value } = point;
  return cost !== null && value !== null && !Number.isNaN(cost) && !Number.isNaN(value);
}
