import { computeNormalCdf, computeNormalQuantile, computeTQuantile } from "./distributions";
import { DEFAULT_SEED, RANDOM_NAME, createRandomSource } from "./random";
import { LEVEL, type Limits } from "./rate-interval";
import { ROUNDING } from "./task-values";
import { type Unavailable, declareUnavailable } from "./unavailable";

export const RESAMPLES = 10_000;

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
 * Returns percentile limits of every column mean when rows, one per task, are resampled; null where fewer than two rows have a
 * value. Draws depend on the seed and the number of rows alone, so tables of the same tasks are resampled alike.
 * @remarks O(resamples x rows x columns)
 */
export function computePercentileLimits(
  rows: readonly (readonly (number | null)[])[],
  { seed, level, resamples }: { readonly seed: number; readonly level: number; readonly resamples: number },
): readonly (Limits | null)[] {
  const means = drawColumnMeans(rows, seed, resamples);
  return (rows[0] ?? []).map((_, column) => {
    const nValues = rows.filter((row) => row[column] !== null).length;
    if (nValues < 2) return null;
    const tail = computeExpandedTail(nValues, level);
    const sorted = sortDefined(means.subarray(column * resamples, (column + 1) * resamples));
    if (sorted.length === 0) return null;
    return { low: computeSortedQuantile(sorted, tail), high: computeSortedQuantile(sorted, 1 - tail) };
  });
}

/** Sorts and drops NaN, which a Float64Array sorts to its end. */
function sortDefined(values: Float64Array): Float64Array {
  const sorted = values.slice().sort();
  const gap = sorted.findIndex((value) => Number.isNaN(value));
  return gap === -1 ? sorted : sorted.subarray(0, gap);
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

/** Limits the kept draws to 10 MB, or 10,000 resamples of 500 tasks. */
const MOST_KEPT = 5 * 2 ** 20;

/** The last draws: groups over the same tasks, and several figures of one group, share them. */
let kept = { seed: 0, nRows: 0, counts: new Uint16Array() };

/** Fewer resamples are a prefix of more. */
function* drawWeights(nRows: number, seed: number, resamples: number): Generator<Weights> {
  const size = nRows * resamples;
  const isKnown = kept.seed === seed && kept.nRows === nRows && kept.counts.length >= size;
  const isKept = size <= MOST_KEPT;
  const counts = isKnown ? kept.counts : new Uint16Array(isKept ? size : nRows);
  const random = createRandomSource(seed);
  const scale = nRows / 2 ** 32;
  for (let start = 0; start < size; start += nRows) {
    const weights = isKept ? counts.subarray(start, start + nRows) : counts.fill(0);
    for (let draw = 0; draw < nRows && !isKnown; draw++) {
      const row = Math.floor(random.nextUint32() * scale);
      weights[row] = (weights[row] ?? 0) + 1;
    }
    yield weights;
  }
  if (isKept) kept = { seed, nRows, counts };
}

/** Returns the resampled values of each figure. Draws depend on the seed and the number of rows alone. */
export function drawFigures(
  { nRows, nFigures, compute }: FigureSource,
  seed: number,
  resamples: number,
): Float64Array {
  const figures = new Float64Array(nFigures);
  const drawn = new Float64Array(nFigures * resamples);
  let resample = 0;
  for (const weights of drawWeights(nRows, seed, resamples)) {
    compute(weights, figures);
    for (let figure = 0; figure < nFigures; figure++)
      drawn[figure * resamples + resample] = figures[figure] ?? Number.NaN;
    resample++;
  }
  return drawn;
}

/** Tasks with equal attempts and passes have equal rows: they are drawn one by one and summed together. */
function drawColumnMeans(
  rows: readonly (readonly (number | null)[])[],
  seed: number,
  resamples: number,
): Float64Array {
  const [first = []] = rows;
  const places = [...Map.groupBy(rows.keys(), (place) => rows[place]?.join()).values()];
  const kinds = new Int32Array(rows.length);
  for (const [kind, alike] of places.entries()) for (const place of alike) kinds[place] = kind;
  const distinct = places.map(([place = 0]) => rows[place] ?? []);
  // Columns without gaps always draw as many values as there are rows.
  const gaps = [...first.keys()].filter((column) => distinct.some((row) => row[column] === null));
  const sumColumns = createColumnSums(
    distinct.map((row) => [
      ...row.map((cell) => cell ?? 0),
      ...gaps.map((column) => (row[column] === null ? 0 : 1)),
    ]),
  );
  const drawn = new Uint32Array(distinct.length);
  const compute = (weights: Weights, means: Float64Array) => {
    drawn.fill(0);
    for (let row = 0; row < weights.length; row++) {
      const kind = kinds[row] ?? 0;
      drawn[kind] = (drawn[kind] ?? 0) + (weights[row] ?? 0);
    }
    const sums = sumColumns(drawn);
    for (let column = 0; column < means.length; column++) means[column] = (sums[column] ?? 0) / rows.length;
    for (const [place, column] of gaps.entries())
      means[column] = (sums[column] ?? 0) / (sums[first.length + place] ?? 0);
  };
  return drawFigures({ nRows: rows.length, nFigures: first.length, compute }, seed, resamples);
}

/** Returns the quantile `p` of ascending values, at least one, by linear interpolation (Hyndman and Fan's type 7, as in NumPy). */
export function computeSortedQuantile(sorted: ArrayLike<number>, p: number): number {
  const position = (sorted.length - 1) * p;
  const below = Math.floor(position);
  const low = sorted[below] ?? 0;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? 0;
  return low + (high - low) * (position - below);
}

/** Returns a function that sums all columns of finite numbers under the given weights. It reuses one result array. */
export function createColumnSums(
  rows: readonly (readonly number[])[],
): (weights: Uint16Array | Uint32Array) => Float64Array {
  const nColumns = rows[0]?.length ?? 0;
  const cells = Float64Array.from(rows.flat());
  const sums = new Float64Array(nColumns);
  return (weights) => {
    sums.fill(0);
    for (let row = 0, cell = 0; row < weights.length; row++) {
      const weight = weights[row] ?? 0;
      for (let column = 0; column < nColumns; column++)
        sums[column] = (sums[column] ?? 0) + weight * (cells[cell++] ?? 0);
    }
    return sums;
  };
}

/**
 * A bootstrap interval. A row is a task with all its trials, or one labelled item. `bca`: percentiles corrected for bias and
 * skewness. Both methods expand the tails for the number of rows.
 */
export interface ResampledInterval {
  readonly kind: "computed";
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: "percentile" | "bca";
  /** A repetition draws other rows of the same kind. */
  readonly estimand: "new-rows";
  readonly nRows: number;
  readonly resamples: number;
  /** Resamples in which the figure was undefined, excluded. With too many there is no interval. */
  readonly nUndefined: number;
  readonly seed: number;
  readonly generator: string;
}

export interface ResampleOptions {
  /** Default `bca`, unless percentiles are known to cover the figure better. */
  readonly method?: "percentile" | "bca";
  readonly seed?: number;
  readonly resamples?: number;
  readonly level?: number;
}

/** With more rows BCa hardly moves the tails, and its cost grows with every row. */
const MOST_BCA_ROWS = 2000;
const FEWEST_RESAMPLES = 2;

/** With more undefined resamples than this, an interval would describe only the defined ones. */
const MOST_UNDEFINED = 0.01;

export interface ResampledFigure {
  readonly value: number;
  readonly bounds: ResampledInterval | Unavailable;
}

/**
 * Computes several figures with bootstrap intervals over the same draws; beyond 2,000 rows they are percentiles.
 * @returns one per figure: `one-value` with fewer than two rows, `undefined-figure` where the observed figure or more than 1 % of
 * resamples are undefined, `no-variation` where the limits would be equal but for rounding
 * @see Efron, "Better Bootstrap Confidence Intervals" (1987); Hesterberg (2015) for the tails
 * @remarks O(resamples x (rows + cost of compute)); BCa also computes the figures once per row
 */
export function computeResampledFigures(
  source: FigureSource,
  options: ResampleOptions = {},
): readonly ResampledFigure[] {
  const { nRows, nFigures, compute } = source;
  const settings = {
    method: nRows > MOST_BCA_ROWS ? "percentile" : (options.method ?? "bca"),
    seed: (options.seed ?? DEFAULT_SEED) >>> 0,
    resamples: Math.max(FEWEST_RESAMPLES, Math.floor(options.resamples ?? RESAMPLES) || RESAMPLES),
    level: options.level ?? LEVEL,
  };
  const observed = new Float64Array(nFigures);
  compute(new Uint16Array(nRows).fill(1), observed);
  if (nRows < 2) return Array.from(observed, (value) => ({ value, bounds: declareUnavailable("one-value") }));
  const drawn = drawFigures(source, settings.seed, settings.resamples);
  const left = settings.method === "bca" ? leaveEachOut(source) : null;
  const bound = (value: number, figure: number): ResampledInterval | Unavailable => {
    const sorted = sortDefined(
      drawn.subarray(figure * settings.resamples, (figure + 1) * settings.resamples),
    );
    const nUndefined = settings.resamples - sorted.length;
    if (Number.isNaN(value) || nUndefined > MOST_UNDEFINED * settings.resamples) {
      return declareUnavailable("undefined-figure");
    }
    const tail = computeExpandedTail(nRows, settings.level);
    const shares =
      left === null
        ? null
        : moveTails(sorted, value, left.subarray(figure * nRows, (figure + 1) * nRows), tail);
    const low = computeSortedQuantile(sorted, shares?.low ?? tail);
    const high = computeSortedQuantile(sorted, shares?.high ?? 1 - tail);
    if (high - low <= ROUNDING * Math.max(Math.abs(value), source.size ?? 0)) {
      return declareUnavailable("no-variation");
    }
    return {
      kind: "computed",
      low,
      high,
      level: settings.level,
      method: shares === null ? "percentile" : "bca",
      estimand: "new-rows",
      nRows,
      resamples: settings.resamples,
      nUndefined,
      seed: settings.seed,
      generator: RANDOM_NAME,
    };
  };
  return Array.from(observed, (value, figure) => ({ value, bounds: bound(value, figure) }));
}

function leaveEachOut({ nRows, nFigures, compute }: FigureSource): Float64Array {
  const weights = new Uint16Array(nRows).fill(1);
  const figures = new Float64Array(nFigures);
  const left = new Float64Array(nFigures * nRows);
  for (let row = 0; row < nRows; row++) {
    weights[row] = 0;
    compute(weights, figures);
    weights[row] = 1;
    for (let figure = 0; figure < nFigures; figure++) {
      left[figure * nRows + row] = figures[figure] ?? Number.NaN;
    }
  }
  return left;
}

/** Returns the shares at which BCa reads its limits; null where bias or skewness is undefined, so that percentiles apply. */
function moveTails(sorted: Float64Array, observed: number, left: Float64Array, tail: number): Limits | null {
  const below = countBelow(sorted, observed);
  const bias = computeNormalQuantile((below.less + below.lessOrEqual) / (2 * sorted.length));
  const mean = left.reduce((sum, value) => sum + value, 0) / left.length;
  let squares = 0;
  let cubes = 0;
  for (const value of left) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  const skewness = cubes / (6 * squares ** 1.5);
  if (!Number.isFinite(bias) || !Number.isFinite(skewness)) return null;
  const normal = computeNormalQuantile(tail);
  // Beyond its pole the formula reverses.
  if ([normal, -normal].some((z) => skewness * (bias + z) >= 1)) return null;
  const moveTail = (z: number) => computeNormalCdf(bias + (bias + z) / (1 - skewness * (bias + z)));
  // The upper limit by symmetry: a tail of two or three rows is so small that 1 minus it would be 1.
  return { low: moveTail(normal), high: moveTail(-normal) };
}

function countBelow(sorted: Float64Array, value: number): { less: number; lessOrEqual: number } {
  const tie = ROUNDING * Math.max(Math.abs(sorted[0] ?? 0), Math.abs(sorted.at(-1) ?? 0));
  let less = 0;
  let lessOrEqual = 0;
  for (const other of sorted) {
    if (other < value - tie) less++;
    if (other <= value + tie) lessOrEqual++;
    else break;
  }
  return { less, lessOrEqual };
}
