import { describe, expect, it } from "vitest";

import { compareCodePoints, isPyNumber, PythonError, recoverPython } from "./value";

describe("compareCodePoints", () => {
  it("orders as Python sorts, where UTF-16 order would differ", () => {
    const sorted = [
      "",
      "A",
      "a",
      "aa",
      "é",
      "\ud800",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{1f600}",
      "\u{1f600}a",
    ];
    expect(sorted.toReversed().toSorted(compareCodePoints)).toEqual(sorted);
  });

  it("is 0 for equal texts with and without pairs", () => {
    expect(compareCodePoints("é", "é")).toBe(0);
    expect(compareCodePoints("\u{1f600}", "\u{1f600}")).toBe(0);
  });
});

describe("isPyNumber", () => {
  it("holds for int, float and bool only", () => {
    expect([1n, 1.5, NaN, true].every(isPyNumber)).toBe(true);
    expect([null, undefined, "1", [], new Map()].some(isPyNumber)).toBe(false);
  });
});

describe("recoverPython", () => {
  it("hands a Python exception over and lets a defect through", () => {
    const raise = (error: Error) => (): string => {
      throw error;
    };
    expect(recoverPython(() => "fine", String)).toBe("fine");
    expect(recoverPython(raise(new PythonError("ValueError", "x")), (error) => error.name)).toBe(
      "ValueError",
    );
    expect(() => recoverPython(raise(new RangeError("defect")), () => "hidden")).toThrow(RangeError);
  });
});
