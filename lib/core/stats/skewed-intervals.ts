import type { Weights } from "./bootstrap";
import { computeResampledFigures, type ResampledFigure, type ResampleOptions } from "./resample";
import type { TaskValues } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

export type Location = ResampledFigure;

/** Mean, median and 90th percentile of costs, durations or token counts, in the unit of the values. */
export interface SkewedIntervals {
  readonly kind: "computed";
  readonly mean: Location;
  readonly median: Location;
  readonly p90: Location;
  readonly n: number;
  readonly nTasks: number;
  /** Missing values; 0 is not missing. */
  readonly nUnknown: number;
  readonly missing: "exclude";
}

/**
 * Computes mean, median and 90th percentile over all known values, with bootstrap intervals that resample whole tasks.
 * @returns `no-known-values` when nothing was reported
 * @see Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996), type 7
 * @remarks O(resamples x values)
 */
export function computeSkewedIntervals(
  tasks: readonly TaskValues[],
  options: ResampleOptions = {},
): SkewedIntervals | Unavailable {
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
    nUnknown: tasks.reduce((sum, { values }) => sum + values.length, 0) - cells.length,
    missing: "exclude",
  };
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
