import { requireFinite } from "./float-parse";

/** A finite double as `mantissa * 2 ** exponent`, exactly. */
interface Binary {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const MANTISSA_BITS = 52n;
const MANTISSA_MASK = (1n << MANTISSA_BITS) - 1n;
// Beyond these digits every double is its own rounding, or rounds to zero (CPython's NDIGITS_MAX and _MIN).
const MAX_DIGITS = 323;
const MIN_DIGITS = -308;

function toBinary(x: number): Binary {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> MANTISSA_BITS);
  const fraction = bits & MANTISSA_MASK;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << MANTISSA_BITS), exponent: biased - 1075 };
}

function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator - quotient * denominator);
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
}

/**
 * Computes Python's `round(x)`: the nearest integer, halves to even. @throws PythonError ValueError for NaN, OverflowError for
 * infinity
 */
export function pythonRound(x: number): bigint {
  requireFinite(x);
  const floor = Math.floor(x);
  const rest = x - floor;
  const isUp = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  return BigInt(isUp ? floor + 1 : floor);
}

/**
 * Computes Python's `round(x, digits)`: the exact binary value rounded to that many decimals, which may be negative, halves to
 * even.
 * @remarks Python raises OverflowError where rounding up leaves the range of doubles; this returns infinity.
 * @see CPython 3.12 Objects/floatobject.c, `double_round`
 */
export function pythonRoundTo(x: number, digits: number): number {
  if (!Number.isFinite(x) || x === 0 || digits > MAX_DIGITS) return x;
  const sign = x < 0 ? -1 : 1;
  if (digits < MIN_DIGITS) return sign * 0;
  const { mantissa, exponent } = toBinary(x);
  const scale = 10n ** BigInt(Math.abs(digits));
  const numerator = (digits >= 0 ? mantissa * scale : mantissa) << BigInt(Math.max(exponent, 0));
  const denominator = (digits >= 0 ? 1n : scale) << BigInt(Math.max(-exponent, 0));
  const rounded = divideHalfEven(numerator, denominator);
  // The decimal text is parsed with correct rounding, like CPython's dtoa round trip.
  return sign * Number(`${String(rounded)}e${String(-digits)}`);
}
