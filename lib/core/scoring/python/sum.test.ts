import { describe, expect, it } from "vitest";

import { pythonSum } from "./sum";

describe("pythonSum", () => {
  it("compensates by default and adds plainly on request", () => {
    const tenths = Array.from({ length: 10 }, () => 0.1);
    expect(pythonSum(tenths)).toBe(1);
    expect(pythonSum(tenths, "sequential")).toBe(0.9999999999999999);
  });

  it("gives an int for ints and bools, 0 for nothing", () => {
    expect(pythonSum([])).toBe(0n);
    expect(pythonSum([], "sequential")).toBe(0n);
    expect(pythonSum([2n ** 70n, true, false, -1n])).toBe(2n ** 70n);
  });

  it("leaves the float stage for good at an int out of C long", () => {
    // CPython 3.12: sum([0.1] * 5 + [2**63, -2**63] + [0.1] * 5)
    const tenths = Array.from({ length: 5 }, () => 0.1);
    expect(pythonSum([...tenths, 2n ** 63n, -(2n ** 63n), ...tenths])).toBe(0.5);
    expect(pythonSum([2n ** 63n, -(2n ** 63n), ...tenths, ...tenths])).toBe(0.9999999999999999);
  });

  it("adds ints inside the float stage without compensation", () => {
    expect(pythonSum([0.5, 2n ** 53n, 1n, 1n])).toBe(2 ** 53);
  });

  it("never turns an overflow into NaN", () => {
    expect(pythonSum([1e308, 1e308, -1e308])).toBe(Infinity);
    expect(pythonSum([Infinity, -Infinity])).toBeNaN();
    expect(pythonSum([-0, -0])).toBe(0);
  });

  it("raises where an int has no double", () => {
    expect(() => pythonSum([0.5, 10n ** 400n])).toThrow(expect.objectContaining({ name: "OverflowError" }));
    expect(() => pythonSum([10n ** 400n, 0.5])).toThrow(expect.objectContaining({ name: "OverflowError" }));
  });
});
