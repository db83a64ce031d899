import { toAsciiNumberText } from "./unicode";
import { PythonError, type PyValue } from "./value";

const FLOAT = /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|(nan|inf(?:inity)?))$/i;
const INT = /^[+-]?\d+$/;
const LONE_UNDERSCORE = /(?:^|\D)_|_(?:\D|$)/;

/** Most decimal digits that CPython converts between `int` and text in either direction. */
export const MAX_INT_DIGITS = 4300;

/** Returns the ASCII text without underscores; empty if one is not between digits. */
function toPlainNumberText(text: string): string {
  const ascii = toAsciiNumberText(text);
  if (!ascii.includes("_")) return ascii;
  return LONE_UNDERSCORE.test(ascii) ? "" : ascii.replaceAll("_", "");
}

/**
 * Returns the double that Python's `float(text)` gives, for digits of any script: correctly rounded, `1e400` is infinite.
 * @throws PythonError ValueError where Python raises it
 */
export function parsePythonFloat(text: string): number {
  const ascii = toPlainNumberText(text);
  const match = FLOAT.exec(ascii);
  if (match === null) throw new PythonError("ValueError", "could not convert string to float");
  const special = match[1]?.toLowerCase();
  if (special === undefined) return Number(ascii);
  if (special === "nan") return NaN;
  return ascii.startsWith("-") ? -Infinity : Infinity;
}

/** Returns the integer that Python's `int(text)` gives. @throws PythonError ValueError, for more than 4,300 digits too */
export function parsePythonInt(text: string): bigint {
  const ascii = toPlainNumberText(text);
  if (!INT.test(ascii)) throw new PythonError("ValueError", "invalid literal for int() with base 10");
  const digits = ascii.replace(/^[+-]/, "");
  if (digits.length > MAX_INT_DIGITS) {
    throw new PythonError("ValueError", "Exceeds the limit (4300 digits) for integer string conversion");
  }
  return ascii.startsWith("-") ? -BigInt(digits) : BigInt(digits);
}

/**
 * Computes `float(value)` for any JSON value. @throws PythonError TypeError, ValueError or OverflowError where Python raises them
 */
export function toPythonFloat(value: PyValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return bigintToFloat(value);
  if (typeof value === "string") return parsePythonFloat(value);
  throw new PythonError("TypeError", "float() argument must be a string or a real number");
}

/** Computes `int(value)` for any JSON value. @throws PythonError TypeError, ValueError or OverflowError where Python raises them */
export function toPythonInt(value: PyValue): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "string") return parsePythonInt(value);
  if (typeof value !== "number") {
    throw new PythonError("TypeError", "int() argument must be a string or a real number");
  }
  requireFinite(value);
  return BigInt(Math.trunc(value));
}

/** @throws PythonError ValueError for NaN, OverflowError for infinity */
export function requireFinite(x: number): void {
  if (Number.isNaN(x)) throw new PythonError("ValueError", "cannot convert float NaN to integer");
  if (!Number.isFinite(x)) throw new PythonError("OverflowError", "cannot convert float infinity to integer");
}

/** Computes `float(int)`: the nearest double, ties to even. @throws PythonError OverflowError when it would be infinite */
export function bigintToFloat(value: bigint): number {
  const float = Number(value);
  if (!Number.isFinite(float)) throw new PythonError("OverflowError", "int too large to convert to float");
  return float;
}
