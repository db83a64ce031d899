import {
  computeExpandedTail,
  computeSortedQuantile,
  drawFigures,
  type FigureSource,
  RESAMPLES,
  sortDefined,
} from "./bootstrap";
import { computeNormalCdf, computeNormalQuantile } from "./distributions";
import { DEFAULT_SEED, RANDOM_NAME } from "./random";
import { LEVEL, type Limits } from "./rate-interval";
import { declareUnavailable, type Unavailable } from "./unavailable";

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

/** Sums over the same rows in another order differ in their last bits; a tie must stay a tie. */
const TIE = 1e-12;

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
    if (high - low <= TIE * Math.max(Math.abs(value), source.size ?? 0)) {
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
  const tie = TIE * Math.max(Math.abs(sorted[0] ?? 0), Math.abs(sorted.at(-1) ?? 0));
  let less = 0;
  let lessOrEqual = 0;
  for (const other of sorted) {
    if (other < value - tie) less++;
    if (other <= value + tie) lessOrEqual++;
    else break;
  }
  return { less, lessOrEqual };
}
