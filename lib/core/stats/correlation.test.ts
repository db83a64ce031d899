import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { computeCorrelations } from "./dimensions";

type Column = readonly (number | null)[];

function correlate(first: Column, second: Column) {
  const [pair] = computeCorrelations([first, second]).pairs;
  if (pair === undefined) throw new Error("no pair");
  return { r: pair.r, n: pair.n, reason: pair.reason };
}

describe("correlation of two dimensions", () => {
  test("on a line is 1 or -1, and never beyond", () => {
    expect(correlate([0, 0.5, 1], [0.2, 0.3, 0.4]).r).toBeCloseTo(1, 15);
    expect(correlate([0, 0.5, 1], [1, 0.5, 0])).toEqual({ r: -1, n: 3, reason: null });
    const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.double({ min: 0.01, max: 9, noNaN: true }), (x, slope) => {
        const { r } = correlate(
          x,
          x.map((value) => 1 - slope * value),
        );
        expect(r === null || (r >= -1 && r < 0)).toBe(true);
      }),
    );
  });

  test("of two kinds of yes and no is phi: (ad - bc) / sqrt of the margins", () => {
    // 30 both, 10 only the first, 5 only the second, 15 neither.
    const [a, b, c, d] = [30, 10, 5, 15] as const;
    const rows = [
      ...new Array<[number, number]>(a).fill([1, 1]),
      ...new Array<[number, number]>(b).fill([1, 0]),
      ...new Array<[number, number]>(c).fill([0, 1]),
      ...new Array<[number, number]>(d).fill([0, 0]),
    ];
    const phi = (a * d - b * c) / Math.sqrt((a + b) * (c + d) * (a + c) * (b + d));
    const found = correlate(
      rows.map(([x]) => x),
      rows.map(([, y]) => y),
    );
    expect(found.r).toBeCloseTo(phi, 14);
    expect(found.n).toBe(60);
  });

  test("counts the rows that state both, which missing ones are not", () => {
    expect(correlate([0, null, 0.5, 1, 0.7], [1, 0.2, 0.5, 0, Number.NaN])).toEqual({
      r: -1,
      n: 3,
      reason: null,
    });
  });

  test("has a reason where it is not defined, and never a NaN", () => {
    expect(correlate([null, 1], [1, null])).toEqual({ r: null, n: 0, reason: "no-values" });
    expect(correlate([0, 1, null], [1, 0, 1])).toEqual({ r: null, n: 2, reason: "few-pairs" });
    expect(correlate([0.1, 0.1, 0.1, null], [0, 0.5, 1, 0.9])).toEqual({ r: null, n: 3, reason: "constant" });
    // It changes, but not where the other is stated.
    expect(correlate([0, 0.5, 1, 0.2], [1, 1, 1, null])).toEqual({ r: null, n: 3, reason: "constant" });
    expect(correlate([0, 1, Number.POSITIVE_INFINITY], [0, 1, 2])).toEqual({
      r: null,
      n: 3,
      reason: "not-finite",
    });
  });

  test("is of every two columns once", () => {
    const { pairs } = computeCorrelations([[1], [2], [3], [4]]);
    expect(pairs.map(({ first, second }) => `${first}${second}`)).toEqual([
      "01",
      "02",
      "03",
      "12",
      "13",
      "23",
    ]);
    expect(computeCorrelations([[1]]).pairs).toEqual([]);
  });
});
