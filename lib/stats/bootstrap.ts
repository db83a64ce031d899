import { createRandomSource } from "./random";

/** Resamples behind every percentile band. */
export const RESAMPLES = 10_000;

/** A table of numbers, one row per task, row after row. NaN marks a cell without a value. */
export interface TaskTable {
  readonly cells: Float64Array;
  readonly nRows: number;
  readonly nColumns: number;
}

/** Percentile limits of one column's mean, or null when the column is empty or some resample had no value. */
export interface PercentileLimits {
  readonly low: number;
  readonly high: number;
}

/**
 * Percentile limits of every column mean when the rows are drawn anew with replacement.
 * Draws depend on the seed and the number of rows alone, so tables of the same tasks are resampled alike.
 * A resample without a value in a column is left out of that column, which can only happen where few tasks have one.
 *
 * @param level - coverage, such as 0.95
 * @remarks O(resamples x rows x columns)
 */
export function computePercentileLimits(
  table: TaskTable,
  options: { readonly seed: number; readonly level: number; readonly resamples?: number },
): readonly (PercentileLimits | null)[] {
  const resamples = options.resamples ?? RESAMPLES;
  const means = drawColumnMeans(table, options.seed, resamples);
  const tail = (1 - options.level) / 2;
  return Array.from({ length: table.nColumns }, (_, column) => {
    // NaN sorts to the end of a Float64Array, so resamples without a value are cut off there.
    const sorted = means.slice(column * resamples, (column + 1) * resamples).sort();
    const gap = sorted.findIndex((value) => Number.isNaN(value));
    const usable = gap === -1 ? sorted : sorted.subarray(0, gap);
    if (usable.length === 0) return null;
    return { low: computeSortedQuantile(usable, tail), high: computeSortedQuantile(usable, 1 - tail) };
  });
}

function drawColumnMeans(table: TaskTable, seed: number, resamples: number): Float64Array {
  const { cells, nRows, nColumns } = table;
  const random = createRandomSource(seed);
  const filled = Float64Array.from(cells, (cell) => (Number.isNaN(cell) ? 0 : cell));
  const present = Float64Array.from(cells, (cell) => (Number.isNaN(cell) ? 0 : 1));
  const hasGaps = present.includes(0);
  const means = new Float64Array(nColumns * resamples);
  const sums = new Float64Array(nColumns);
  const counts = new Float64Array(nColumns);
  const scale = nRows / 2 ** 32;
  for (let resample = 0; resample < resamples; resample++) {
    sums.fill(0);
    counts.fill(hasGaps ? 0 : nRows);
    for (let draw = 0; draw < nRows; draw++) {
      const start = Math.floor(random.nextUint32() * scale) * nColumns;
      for (let column = 0; column < nColumns; column++) {
        sums[column] = (sums[column] ?? 0) + (filled[start + column] ?? 0);
        if (hasGaps) counts[column] = (counts[column] ?? 0) + (present[start + column] ?? 0);
      }
    }
    for (let column = 0; column < nColumns; column++) {
      means[column * resamples + resample] = (sums[column] ?? 0) / (counts[column] ?? 0);
    }
  }
  return means;
}

/**
 * The quantile of sorted values by linear interpolation between neighbours (Hyndman and Fan's type 7, as NumPy does).
 *
 * @param sorted - ascending, at least one, no NaN
 * @param p - 0 to 1
 */
export function computeSortedQuantile(sorted: ArrayLike<number>, p: number): number {
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? 0;
  return low + (high - low) * (position - below);
}
