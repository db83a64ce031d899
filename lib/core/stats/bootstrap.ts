import { createColumnSums } from "./column-sums";
import { computeNormalCdf, computeTQuantile } from "./distributions";
import { createRandomSource } from "./random";
import type { Limits } from "./rate-interval";

export const RESAMPLES = 10_000;

/** Numbers in row-major order, one row per task. NaN marks a missing cell. */
export interface TaskTable {
  readonly cells: Float64Array;
  readonly nRows: number;
  readonly nColumns: number;
}

/**
 * Returns the share of resamples to cut at each end, less than (1 - level) / 2. Figures resampled from `nRows` (at least 2) rows
 * spread less than those of new rows: by (n - 1) / n, and as normal numbers instead of t.
 * @see Hesterberg, "What Teachers Should Know About the Bootstrap" (2015), the expanded percentile interval
 */
export function computeExpandedTail(nRows: number, level: number): number {
  const critical = computeTQuantile((1 + level) / 2, nRows - 1);
  return computeNormalCdf(-Math.sqrt(nRows / (nRows - 1)) * critical);
}

/**
 * Returns percentile limits of every column mean when rows are resampled; null where fewer than two rows have a value. Draws
 * depend on the seed and the number of rows alone, so tables of the same tasks are resampled alike.
 * @remarks O(resamples x rows x columns)
 */
export function computePercentileLimits(
  table: TaskTable,
  options: { readonly seed: number; readonly level: number; readonly resamples?: number },
): readonly (Limits | null)[] {
  const resamples = options.resamples ?? RESAMPLES;
  const means = drawColumnMeans(table, options.seed, resamples);
  return Array.from({ length: table.nColumns }, (_, column) => {
    const nValues = countColumnValues(table, column);
    if (nValues < 2) return null;
    const tail = computeExpandedTail(nValues, options.level);
    const usable = means
      .subarray(column * resamples, (column + 1) * resamples)
      .filter((mean) => !Number.isNaN(mean));
    if (usable.length === 0) return null;
    return { low: selectQuantile(usable, tail), high: selectQuantile(usable, 1 - tail) };
  });
}

/** Sorts and drops NaN, which a Float64Array sorts to its end. */
export function sortDefined(values: Float64Array): Float64Array {
  const sorted = values.slice().sort();
  if (!Number.isNaN(sorted.at(-1))) return sorted;
  const gap = sorted.findIndex((value) => Number.isNaN(value));
  return sorted.subarray(0, gap);
}

function countColumnValues({ cells, nRows, nColumns }: TaskTable, column: number): number {
  let count = 0;
  for (let row = 0; row < nRows; row++) if (!Number.isNaN(cells[row * nColumns + column])) count++;
  return count;
}

/** Draw counts per row, 0 to 65,535. No row among more than that many reaches the limit by chance. */
export type Weights = Uint16Array;

export interface FigureSource {
  readonly nRows: number;
  readonly nFigures: number;
  readonly compute: (weights: Weights, figures: Float64Array) => void;
  /** Magnitude of the numbers behind the figure, for figures that may be near 0 as a difference. */
  readonly size?: number;
}

interface Draws {
  readonly seed: number;
  readonly nRows: number;
  readonly counts: Weights;
}

/** Limits the cached draws to 10 MB, or 10,000 resamples of 500 tasks. */
const MOST_COUNTS = 5 * 2 ** 20;
const MOST_KEPT = 2;
const MOST_COUNT = 2 ** 16 - 1;

/** Most recently used last. Groups over the same tasks, and several figures of one group, share draws. */
const kept: Draws[] = [];

/** Returns the draws of a table, or null if they are too many to cache. Fewer resamples are a prefix of more. */
function keepDraws(nRows: number, seed: number, resamples: number): Uint16Array | null {
  if (nRows > MOST_COUNT || nRows * resamples > MOST_COUNTS) return null;
  const at = kept.findIndex((draws) => draws.seed === seed && draws.nRows === nRows);
  const [known] = at === -1 ? [] : kept.splice(at, 1);
  const draws =
    known !== undefined && known.counts.length >= nRows * resamples
      ? known
      : { seed, nRows, counts: countDraws(nRows, seed, resamples) };
  kept.push(draws);
  if (kept.length > MOST_KEPT) kept.shift();
  return draws.counts;
}

function countDraws(nRows: number, seed: number, resamples: number): Uint16Array {
  const counts = new Uint16Array(nRows * resamples);
  const drawRow = createRowSource(nRows, seed);
  for (let start = 0; start < counts.length; start += nRows) {
    for (let draw = 0; draw < nRows; draw++) {
      const at = start + drawRow();
      counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return counts;
}

function createRowSource(nRows: number, seed: number): () => number {
  const random = createRandomSource(seed);
  const scale = nRows / 2 ** 32;
  return () => Math.floor(random.nextUint32() * scale);
}

/** Returns the resampled values of each figure. Draws depend on the seed and the number of rows alone. */
export function drawFigures(
  { nRows, nFigures, compute }: FigureSource,
  seed: number,
  resamples: number,
): Float64Array {
  const counts = keepDraws(nRows, seed, resamples);
  const drawRow = createRowSource(nRows, seed);
  const own = new Uint16Array(nRows);
  const drawAgain = () => {
    own.fill(0);
    for (let draw = 0; draw < nRows; draw++) {
      const row = drawRow();
      own[row] = (own[row] ?? 0) + 1;
    }
    return own;
  };
  const figures = new Float64Array(nFigures);
  const drawn = new Float64Array(nFigures * resamples);
  for (let resample = 0; resample < resamples; resample++) {
    const start = resample * nRows;
    compute(counts === null ? drawAgain() : counts.subarray(start, start + nRows), figures);
    for (let figure = 0; figure < nFigures; figure++) {
      drawn[figure * resamples + resample] = figures[figure] ?? Number.NaN;
    }
  }
  return drawn;
}

function drawColumnMeans(
  { cells, nRows, nColumns }: TaskTable,
  seed: number,
  resamples: number,
): Float64Array {
  const { kinds, rows } = groupEqualRows({ cells, nRows, nColumns });
  // Columns without gaps always draw as many values as there are rows.
  const gaps = Array.from({ length: nColumns }, (_, column) => column).filter((column) =>
    rows.some((row) => Number.isNaN(row[column])),
  );
  const sumColumns = createColumnSums(
    rows.map((row) => [
      ...row.map((cell) => (Number.isNaN(cell) ? 0 : cell)),
      ...gaps.map((column) => (Number.isNaN(row[column]) ? 0 : 1)),
    ]),
  );
  const drawn = new Uint32Array(rows.length);
  const compute = (weights: Weights, means: Float64Array) => {
    drawn.fill(0);
    for (let row = 0; row < nRows; row++) {
      const kind = kinds[row] ?? 0;
      drawn[kind] = (drawn[kind] ?? 0) + (weights[row] ?? 0);
    }
    const sums = sumColumns(drawn);
    for (let column = 0; column < nColumns; column++) means[column] = (sums[column] ?? 0) / nRows;
    for (const [place, column] of gaps.entries())
      means[column] = (sums[column] ?? 0) / (sums[nColumns + place] ?? 0);
  };
  return drawFigures({ nRows, nFigures: nColumns, compute }, seed, resamples);
}

/** Tasks with equal attempts and passes have equal rows: they are drawn one by one and summed together. */
function groupEqualRows({ cells, nRows, nColumns }: TaskTable) {
  const places = new Map<string, number>();
  const kinds = new Int32Array(nRows);
  const rows: number[][] = [];
  for (let row = 0; row < nRows; row++) {
    const values = cells.subarray(row * nColumns, (row + 1) * nColumns);
    const key = values.join();
    const place = places.get(key) ?? places.size;
    if (place === places.size) {
      places.set(key, place);
      rows.push([...values]);
    }
    kinds[row] = place;
  }
  return { kinds, rows };
}

/** Returns the quantile `p` of ascending values, at least one, by linear interpolation (Hyndman and Fan's type 7, as in NumPy). */
export function computeSortedQuantile(sorted: ArrayLike<number>, p: number): number {
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? 0;
  return low + (high - low) * (position - below);
}

/** Returns the quantile `p` of unsorted values, at least one and none NaN. Reorders them, since sorting takes six times as long. */
function selectQuantile(values: Float64Array, p: number): number {
  const below = Math.floor((values.length - 1) * p);
  for (const rank of [below, Math.min(below + 1, values.length - 1)]) placeRank(values, rank);
  return computeSortedQuantile(values, p);
}

/**
 * Reorders values so that the one at `rank`, from 0, is in its sorted place, with none above it before and none below it behind.
 * @see Hoare, "Algorithm 65: Find" (1961)
 */
function placeRank(values: Float64Array, rank: number): void {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[rank] ?? 0;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] ?? 0) < pivot) left++;
      while (pivot < (values[right] ?? 0)) right--;
      if (left <= right) {
        const value = values[left] ?? 0;
        values[left++] = values[right] ?? 0;
        values[right--] = value;
      }
    }
    if (right < rank) low = left;
    if (rank < left) high = right;
  }
}
