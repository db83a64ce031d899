import { bigintToFloat } from "./float-parse";
import { addPlain, toIntOrFloat } from "./number";
import type { PyNumber } from "./value";

/** Float addition in `sum`: compensated since Python 3.12, plainly left to right up to 3.11. */
export type Summation = "cpython-3.12" | "sequential";

const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;

function fitsLong(value: bigint): boolean {
  return value >= MIN_LONG && value <= MAX_LONG;
}

/**
 * Computes Python's `sum(values)`, whose order decides the last bit: a `bigint` when every operand is an int or bool, else a
 * double.
 * @throws PythonError OverflowError when an int beyond the doubles meets a float
 * @see CPython 3.12 Python/bltinmodule.c, `builtin_sum_impl`
 */
export function pythonSum(
  values: readonly PyNumber[],
  summation: Summation = "cpython-3.12",
): bigint | number {
  const items = values.map(toIntOrFloat);
  return summation === "sequential" ? addInOrder(0n, items) : sumCompensated(items);
}

function sumCompensated(items: readonly (bigint | number)[]): bigint | number {
  let total = 0n;
  let index = 0;
  for (const item of items) {
    index++;
    if (typeof item === "number") return sumFloats(bigintToFloat(total) + item, items.slice(index));
    total += item;
    // Beyond a C long CPython leaves its fast loops for good, so later floats are added plainly.
    if (!fitsLong(item) || !fitsLong(total)) break;
  }
  return addInOrder(total, items.slice(index));
}

function addInOrder(start: bigint | number, items: readonly (bigint | number)[]): bigint | number {
  let total = start;
  for (const item of items) total = addPlain(total, item);
  return total;
}

/** Uses Neumaier's compensation for floats, and none for ints that fit a C long. */
function sumFloats(start: number, items: readonly (bigint | number)[]): bigint | number {
  let total = start;
  let compensation = 0;
  let index = 0;
  for (const item of items) {
    if (typeof item === "number") {
      const next = total + item;
      compensation += Math.abs(total) >= Math.abs(item) ? total - next + item : item - next + total;
      total = next;
    } else if (fitsLong(item)) {
      total += Number(item);
    } else {
      return addInOrder(compensate(total, compensation), items.slice(index));
    }
    index++;
  }
  return compensate(total, compensation);
}

/** Adds the compensation unless it is 0 (would lose a negative zero) or not finite (would make a NaN). */
function compensate(total: number, compensation: number): number {
  return compensation !== 0 && Number.isFinite(compensation) ? total + compensation : total;
}
