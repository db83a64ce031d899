/** A value of Python's JSON data model: `int` is a `bigint`, `float` a `number`, `dict` an insertion-ordered `Map`. */
export type PyValue = null | boolean | bigint | number | string | PyValue[] | Map<string, PyValue>;

/** A Python number: `int`, `float` or `bool` (which counts as 0 or 1). */
export type PyNumber = bigint | number | boolean;

/** Reward key -> value, in the order the verifier wrote them. */
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

  constructor(name: PyExceptionName, message: string) {
    super(message);
    this.name = name;
  }
}

/** Returns the result of `run`, or of `recover` for its Python exception. Other exceptions are rethrown. */
export function recoverPython<T>(run: () => T, recover: (error: PythonError) => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PythonError) return recover(error);
    throw error;
  }
}

/** True for a Python number, `bool` included. */
export function isPyNumber(value: PyValue | undefined): value is PyNumber {
  return typeof value === "bigint" || typeof value === "number" || typeof value === "boolean";
}

/** Orders two strings as Python's `sorted` does: by code point, not by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  const isPlain = !HAS_SURROGATE.test(a) && !HAS_SURROGATE.test(b);
  const left = isPlain ? a : toOrderText(a);
  const right = isPlain ? b : toOrderText(b);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const HAS_SURROGATE = /[\ud800-\udfff]/;

/** Seven decimal digits per code point, so that text order is code point order; lone surrogates included. */
function toOrderText(text: string): string {
  return Array.from(text, (char) => String(char.codePointAt(0)).padStart(7, "0")).join("");
}
