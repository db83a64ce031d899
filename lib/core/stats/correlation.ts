import { computeMean, computeSize, computeSquaredDeviations } from "./task-values";
import type { UnavailableReason } from "./unavailable";

export interface CorrelationPair {
  readonly first: number;
  readonly second: number;
  readonly n: number;
  readonly r: number | null;
  /** Why `r` is null: no row has both values, fewer than three do, one column is constant, or one is infinite. */
  readonly reason: Extract<UnavailableReason, "no-values" | "few-pairs" | "constant" | "not-finite"> | null;
}

export interface Correlations {
  readonly method: "pearson";
  readonly missing: "pairwise";
  /** Every pair once: 0 with 1, 0 with 2 ... 1 with 2 ... */
  readonly pairs: readonly CorrelationPair[];
}

const LEAST_PAIRS = 3;

/**
 * Correlates every two of equally long columns; null or NaN marks a missing value.
 * @remarks O(rows x columns squared)
 */
export function computeCorrelations(columns: readonly (readonly (number | null)[])[]): Correlations {
  const pairs = columns.flatMap((column, first) =>
    columns.slice(first + 1).map((other, offset): CorrelationPair => {
      const { x, y } = pickStated(column, other);
      const place = { first, second: first + 1 + offset, n: x.length };
      const reason = findFault(x, y);
      if (reason !== null) return { ...place, r: null, reason };
      const r = computePearson(x, y, 0);
      return r === null ? { ...place, r: null, reason: "constant" } : { ...place, r, reason: null };
    }),
  );
  return { method: "pearson", missing: "pairwise", pairs };
}

function pickStated(first: readonly (number | null)[], second: readonly (number | null)[]) {
  const x: number[] = [];
  const y: number[] = [];
  for (const [row, a] of first.entries()) {
    const b = second[row] ?? null;
    if (a === null || b === null || Number.isNaN(a) || Number.isNaN(b)) continue;
    x.push(a);
    y.push(b);
  }
  return { x, y };
}

function findFault(x: readonly number[], y: readonly number[]): CorrelationPair["reason"] {
  if (x.length === 0) return "no-values";
  if (x.length < LEAST_PAIRS) return "few-pairs";
  if (!x.every(Number.isFinite) || !y.every(Number.isFinite)) return "not-finite";
  return isConstant(x) || isConstant(y) ? "constant" : null;
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

/** Returns Pearson's correlation of finite values, -1 to 1; null if the product of their spreads is not above `leastSpread`. */
export function computePearson(
  x: readonly number[],
  y: readonly number[],
  leastSpread: number,
): number | null {
  const meanX = computeMean(x);
  const meanY = computeMean(y);
  const product = computeSquaredDeviations(x) * computeSquaredDeviations(y);
  // Squares overflow or underflow long before the values do. Rescaling does not change a correlation.
  if ((product < 1e-290 || !Number.isFinite(product)) && leastSpread === 0) {
    const [sizeX, sizeY] = [computeSize(x), computeSize(y)];
    const [ownX, ownY] = [x.map((value) => value / sizeX), y.map((value) => value / sizeY)];
    const isOut = sizeX !== 1 || sizeY !== 1;
    if (isOut && sizeX > 0 && sizeY > 0) return computePearson(ownX, ownY, 0);
  }
  const spread = Math.sqrt(product);
  if (!(spread > leastSpread)) return null;
  const products = x.reduce((sum, value, index) => sum + (value - meanX) * ((y[index] ?? 0) - meanY), 0);
  return Math.min(1, Math.max(-1, products / spread));
}
