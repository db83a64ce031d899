import { computeSortedQuantile } from "./bootstrap";
import { computeMean } from "./task-values";
import { type Computed, declareUnavailable } from "./unavailable";

/** Location and spread of a skewed figure such as cost or duration, in the unit of its values. */
export type Distribution = Computed<typeof computeDistribution>;

/** Computes median, quartiles, 90th percentile and mean of the known values; `no-known-values` when there is none. */
export function computeDistribution(values: readonly (number | null)[]) {
  const known = values
    .flatMap((value) => (value !== null && Number.isFinite(value) ? [value] : []))
    .sort((a, b) => a - b);
  const min = known[0];
  const max = known.at(-1);
  if (min === undefined || max === undefined) return declareUnavailable("no-known-values");
  const mean = computeMean(known);
  return {
    kind: "computed",
    n: known.length,
    /** Missing values, in no figure here; 0 is not missing. */
    nUnknown: values.length - known.length,
    sum: mean * known.length,
    mean,
    min,
    lowerQuartile: computeSortedQuantile(known, 0.25),
    median: computeSortedQuantile(known, 0.5),
    upperQuartile: computeSortedQuantile(known, 0.75),
    p90: computeSortedQuantile(known, 0.9),
    max,
  } as const;
}

const LEAST_VALUES = 8;

/**
 * Computes Tukey's upper fence of the logarithms of positive values, such as costs, which spread by factors; null below eight
 * values.
 * @see Tukey, "Exploratory Data Analysis" (1977), section 2D
 */
export function computeHighFence(values: readonly number[]) {
  const logs = values
    .filter((value) => value > 0 && Number.isFinite(value))
    .map(Math.log)
    .sort((a, b) => a - b);
  if (logs.length < LEAST_VALUES) return null;
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => computeSortedQuantile(logs, share));
  if (low === undefined || median === undefined || high === undefined) return null;
  return {
    median: Math.exp(median),
    /** Upper quartile plus 1.5 times the interquartile range, both of logarithms. */
    fence: Math.exp(high + 1.5 * (high - low)),
    /** Values above 0; others are excluded. */
    n: logs.length,
  };
}

/** Returns `count` of `n` as a share, 0 to 1; null when `n` is 0. */
export function computeShare(count: number, n: number): number | null {
  return n === 0 ? null : count / n;
}

export const DIMENSION_EDGES: readonly number[] = Array.from({ length: 11 }, (_, index) => index / 10);

/** Counts shares from 0 to 1 between the edges, the last bin with its upper edge. */
export function countBins(shares: readonly number[]): readonly number[] {
  const bins = Map.groupBy(shares, (share) =>
    share === 1 ? DIMENSION_EDGES.length - 2 : DIMENSION_EDGES.findLastIndex((edge) => share >= edge),
  );
  return DIMENSION_EDGES.slice(1).map((_, bin) => bins.get(bin)?.length ?? 0);
}
