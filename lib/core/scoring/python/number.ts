import { bigintToFloat } from "./float-parse";
import { PythonError, type PyNumber } from "./value";

const MAX_EXACT = 2n ** 53n;
const QUOTIENT_SHIFT = 128n;

export function toIntOrFloat(value: PyNumber): bigint | number {
  if (typeof value === "boolean") return value ? 1n : 0n;
  return value;
}

/** Compares the exact values, also between int and float; false when either is NaN. */
export function isGreater(a: PyNumber, b: PyNumber): boolean {
  // JavaScript compares bigint with number mathematically, like Python.
  return toIntOrFloat(a) > toIntOrFloat(b);
}

/**
 * Computes Python's `total / count` for a count up to 2**53: int / int is the correctly rounded quotient, beyond 2**53 too.
 * @throws PythonError ZeroDivisionError, or OverflowError where the quotient of ints is beyond the doubles
 */
export function divideByCount(total: bigint | number, count: number): number {
  if (count === 0) throw new PythonError("ZeroDivisionError", "division by zero");
  if (typeof total === "number") return total / count;
  if (total >= -MAX_EXACT && total <= MAX_EXACT) return Number(total) / count;
  return divideBigints(total, BigInt(count));
}

/** The 53 bits of a double, and enough more to round once. */
const QUOTIENT_BITS = 66;

/** For totals beyond 2**53, so that the shifted quotient always has more than `QUOTIENT_BITS` bits. */
function divideBigints(total: bigint, count: bigint): number {
  const size = (total < 0n ? -total : total) << QUOTIENT_SHIFT;
  const quotient = size / count;
  const excess = BigInt(quotient.toString(2).length - QUOTIENT_BITS);
  const head = quotient >> excess;
  // A sticky bit represents everything cut off, so that the single rounding of Number() is correct.
  const isExact = (head << excess) * count === size;
  const float = Number(isExact ? head : head | 1n) * 2 ** Number(excess - QUOTIENT_SHIFT);
  if (!Number.isFinite(float)) {
    throw new PythonError("OverflowError", "integer division result too large for a float");
  }
  return total < 0n ? -float : float;
}

/**
 * Computes `a + b` without compensation: exact on ints, one rounding when either is a float.
 * @throws PythonError OverflowError when an int meets a float and is beyond the doubles
 */
export function addPlain(a: bigint | number, b: bigint | number): bigint | number {
  if (typeof a === "bigint" && typeof b === "bigint") return a + b;
  return (typeof a === "bigint" ? bigintToFloat(a) : a) + (typeof b === "bigint" ? bigintToFloat(b) : b);
}
