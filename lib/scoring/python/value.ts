/**
 * A value of Python's JSON data model, with the distinctions that show in Harbor's output kept:
 * `int` is a `bigint`, `float` a `number`, `dict` an insertion-ordered `Map`.
 */
export type PyValue = null | boolean | bigint | number | string | PyValue[] | Map<string, PyValue>;

/** A Python number: `int`, `float` or `bool` (which counts as 0 or 1). */
export type PyNumber = bigint | number | boolean;

/** The rewards of one trial, reward key -> value, in the order the verifier wrote them. */
export type RewardDict = Map<string, PyNumber>;

/** Exception classes of CPython that the ported code can raise. */
export type PyExceptionName =
  | "AttributeError"
  | "JSONDecodeError"
  | "OverflowError"
  | "RecursionError"
  | "TypeError"
  | "ValueError"
  | "ZeroDivisionError";

/** A Python exception raised by ported code; `name` is the Python class. */
export class PythonError extends Error {
  override readonly name: PyExceptionName;

  /**
   * @param name - class of the exception in Python
   * @param message - text in Python's wording
   */
  constructor(name: PyExceptionName, message: string) {
    super(message);
    this.name = name;
  }
}

/**
 * Narrows a JSON value to a number of Python (`bool` included).
 *
 * @returns true for `int`, `float` and `bool`
 */
export function isPyNumber(value: PyValue | undefined): value is PyNumber {
  return typeof value === "bigint" || typeof value === "number" || typeof value === "boolean";
}

/**
 * Orders two strings as Python's `sorted` does: by code point, not by UTF-16 unit.
 *
 * @returns negative, zero or positive
 */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const unitA = a.charCodeAt(i);
    const unitB = b.charCodeAt(i);
    if (unitA !== unitB) return rankOf(a, i, unitA) - rankOf(b, i, unitB);
  }
  return a.length - b.length;
}

/** Code point that the unit at `i` belongs to; the low half of a pair ranks as its own pair. */
function rankOf(text: string, i: number, unit: number): number {
  const isPairedLow = unit >= 0xdc00 && unit <= 0xdfff && i > 0 && (text.codePointAt(i - 1) ?? 0) > 0xffff;
  // Two texts that differ in the low half share the high half, so any value above 0xffff orders them.
  return isPairedLow ? 0x10000 + unit : (text.codePointAt(i) ?? 0);
}
