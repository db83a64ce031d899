import { computeSortedQuantile } from "./bootstrap";
import { computeMean } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

/** Location and spread of a skewed figure such as cost or duration, in the unit of its values. */
export interface Distribution {
  readonly kind: "computed";
  readonly n: number;
  /** Missing values, in no figure here; 0 is not missing. */
  readonly nUnknown: number;
  readonly sum: number;
  readonly mean: number;
  readonly min: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly p90: number;
  readonly max: number;
}

/** Computes median, quartiles, 90th percentile and mean of the known values; `no-known-values` when there is none. */
export function computeDistribution(values: readonly (number | null)[]): Distribution | Unavailable {
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
    nUnknown: values.length - known.length,
    sum: mean * known.length,
    mean,
    min,
    lowerQuartile: computeSortedQuantile(known, 0.25),
    median: computeSortedQuantile(known, 0.5),
    upperQuartile: computeSortedQuantile(known, 0.75),
    p90: computeSortedQuantile(known, 0.9),
    max,
  };
}

/** Returns US dollars per passed trial, over all trials of known cost; null if none of them passed. */
export function computeCostPerPass(
  trials: readonly { readonly costUsd: number | null; readonly isPassed: boolean }[],
): number | null {
  const known = trials.filter(({ costUsd }) => costUsd !== null);
  const nPassed = known.filter(({ isPassed }) => isPassed).length;
  return nPassed === 0 ? null : known.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0) / nPassed;
}

/** Returns `count` of `n` as a share, 0 to 1; null when `n` is 0. */
export function computeShare(count: number, n: number): number | null {
  return n === 0 ? null : count / n;
}

/** `low <= value < high`, the last bin with its upper edge. */
export interface HistogramBin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** A histogram of equal bins. Missing values and values outside the range are counted separately. */
export interface Histogram {
  readonly bins: readonly HistogramBin[];
  readonly nUnknown: number;
  readonly nBelow: number;
  readonly nAbove: number;
}

/** Counts values into `nBins` (at least 1) equal bins from `low` to `high`, which is larger. */
export function computeHistogram(
  values: readonly (number | null)[],
  range: { readonly low: number; readonly high: number },
  nBins: number,
): Histogram {
  const span = range.high - range.low;
  const computeEdge = (index: number) => range.low + (span * index) / nBins;
  const counts = new Array<number>(nBins).fill(0);
  let nUnknown = 0;
  let nBelow = 0;
  let nAbove = 0;
  for (const value of values) {
    if (value === null || Number.isNaN(value)) nUnknown++;
    else if (value < range.low) nBelow++;
    else if (value > range.high) nAbove++;
    else {
      // The division may round across an edge; the displayed edges decide.
      const guess = Math.min(nBins - 1, Math.floor(((value - range.low) / span) * nBins));
      const up = guess < nBins - 1 && value >= computeEdge(guess + 1) ? guess + 1 : guess;
      const bin = value < computeEdge(up) ? up - 1 : up;
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
  }
  const bins = counts.map((count, index) => ({
    low: computeEdge(index),
    high: index === nBins - 1 ? range.high : computeEdge(index + 1),
    count,
  }));
  return { bins, nUnknown, nBelow, nAbove };
}
