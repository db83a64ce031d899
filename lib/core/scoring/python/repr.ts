import { MAX_INT_DIGITS } from "./float-parse";
import { PythonError, type PyNumber } from "./value";

const SMALLEST_PLAIN = 1e-4;
const SMALLEST_EXPONENT_FORM = 1e16;

/**
 * Returns Python's `repr` of an `int`, `float` or `bool`: `1`, `1.0`, `1e-05`, `1e+16`, `nan`, `-inf`, `True` ...
 * @throws PythonError ValueError for an int of more than 4,300 digits
 */
export function pythonRepr(value: PyNumber): string {
  if (typeof value === "bigint") return reprInt(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return reprFinite(value);
}

/** @throws PythonError ValueError beyond 4,300 digits */
export function reprInt(value: bigint): string {
  const text = String(value);
  const digits = value < 0n ? text.length - 1 : text.length;
  if (digits > MAX_INT_DIGITS) {
    throw new PythonError("ValueError", "Exceeds the limit (4300 digits) for integer string conversion");
  }
  return text;
}

/** Returns `repr` of a finite float: the shortest digits that parse to the same double. */
export function reprFinite(x: number): string {
  const size = Math.abs(x);
  if (size !== 0 && (size < SMALLEST_PLAIN || size >= SMALLEST_EXPONENT_FORM)) {
    // JavaScript writes the same digits, but "1e-5" where Python writes "1e-05".
    return x.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  }
  if (Object.is(x, -0)) return "-0.0";
  return Number.isInteger(x) ? `${String(x)}.0` : String(x);
}
