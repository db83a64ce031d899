import type { Weights } from "./bootstrap";
import { createColumnSums } from "./column-sums";
import { computeResampledFigures } from "./resample";
import type { ResampledInterval, ResampleOptions } from "./resample";
import { pairTasks, sortByTask } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface TaskRatio {
  readonly task: string;
  /** Null is unknown, which is not 0: the whole task is excluded and counted. */
  readonly numerator: number | null;
  readonly denominator: number | null;
}

export interface RatioInterval {
  readonly kind: "computed";
  readonly ratio: number;
  readonly bounds: ResampledInterval | Unavailable;
  readonly nTasks: number;
  readonly nUnknown: number;
  readonly missing: "exclude";
}

export interface RatioDifference {
  readonly kind: "computed";
  readonly first: number;
  readonly second: number;
  readonly difference: number;
  readonly bounds: ResampledInterval | Unavailable;
  readonly nTasks: number;
  readonly nUnknown: number;
  readonly missing: "exclude";
}

interface Known {
  readonly task: string;
  readonly numerator: number;
  readonly denominator: number;
}

function keepKnown(tasks: readonly TaskRatio[]): readonly Known[] {
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

/**
 * Computes a ratio of sums over tasks, such as cost per solve, with a bootstrap interval that resamples whole tasks.
 * @returns `no-known-values` without a task of which both are known, `undefined-figure` where the denominators sum to 0
 * @see Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), sections 10.3 and 14.3
 */
export function computeRatioInterval(
  tasks: readonly TaskRatio[],
  options: ResampleOptions = {},
): RatioInterval | Unavailable {
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
  };
}

/**
 * Computes the difference of two groups' ratios over the tasks known in both, resampling both sides of a task together.
 * @returns `no-common-tasks`, or `undefined-figure` where a side's denominators sum to 0
 */
export function computeRatioDifference(
  first: readonly TaskRatio[],
  second: readonly TaskRatio[],
  options: ResampleOptions = {},
): RatioDifference | Unavailable {
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
  };
}
