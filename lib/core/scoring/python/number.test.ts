import { describe, expect, it } from "vitest";

import { addPlain, divideByCount, isGreater } from "./number";
import { pythonRepr } from "./repr";

describe("divideByCount", () => {
  it("rounds the exact quotient of ints once", () => {
    // The first two are what CPython answers.
    expect(divideByCount(2n ** 53n + 1n, 3)).toBe(3002399751580331);
    expect(pythonRepr(divideByCount(10n ** 25n + 1n, 7))).toBe("1.4285714285714285e+24");
    expect(divideByCount(-(2n ** 1030n), 2 ** 20)).toBe(-(2 ** 1010));
    expect(divideByCount(-7n, 2)).toBe(-3.5);
  });

  it("knows the sticky bit: a hair above a tie rounds up, a tie goes to even", () => {
    expect(divideByCount((2n ** 54n + 1n) * 4n, 4)).toBe(2 ** 54);
    expect(divideByCount(((2n ** 54n + 2n) << 80n) + 1n, 1)).toBe((2 ** 54 + 4) * 2 ** 80);
  });

  it("raises where Python raises", () => {
    expect(() => divideByCount(0n, 0)).toThrow(expect.objectContaining({ name: "ZeroDivisionError" }));
    expect(() => divideByCount(10n ** 400n, 3)).toThrow(expect.objectContaining({ name: "OverflowError" }));
  });
});

describe("isGreater", () => {
  it("compares int and float exactly and NaN never", () => {
    expect(isGreater(2n ** 53n + 1n, 2 ** 53)).toBe(true);
    expect(isGreater(true, 0.5)).toBe(true);
    expect(isGreater(false, 0)).toBe(false);
    expect(isGreater(NaN, 0n)).toBe(false);
  });
});

describe("addPlain", () => {
  it("is exact on ints and rounds once with a float", () => {
    expect(addPlain(2n ** 80n, 1n)).toBe(2n ** 80n + 1n);
    expect(addPlain(1n, 0.5)).toBe(1.5);
    expect(addPlain(0.5, 2n ** 60n + 1n)).toBe(2 ** 60);
    expect(() => addPlain(0.5, 10n ** 400n)).toThrow(expect.objectContaining({ name: "OverflowError" }));
  });
});
