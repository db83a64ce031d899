import { describe, expect, it } from "vitest";

import { pythonRound, pythonRoundTo } from "./round";

describe("pythonRound", () => {
  it("sends halves to even", () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5, 2.4, 2.6, -2.6, 1e22].map(pythonRound)).toEqual([
      0n,
      2n,
      2n,
      0n,
      -2n,
      2n,
      3n,
      -3n,
      10n ** 22n,
    ]);
    expect(pythonRound(0.49999999999999994)).toBe(0n);
  });

  it("raises for what is no integer", () => {
    expect(() => pythonRound(NaN)).toThrow(expect.objectContaining({ name: "ValueError" }));
    expect(() => pythonRound(-Infinity)).toThrow(expect.objectContaining({ name: "OverflowError" }));
  });
});

describe("pythonRoundTo", () => {
  it.each([
    [3460.28125, 4, 3460.2812],
    [2.675, 2, 2.67],
    [0.03125, 4, 0.0312],
    [0.09375, 4, 0.0938],
    [1250, -2, 1200],
    [-1350, -2, -1400],
    [5e-324, 4, 0],
    [5e-324, 400, 5e-324],
    [1e300, -309, 0],
    [-1e300, -309, -0],
    [-0, 2, -0],
    [Infinity, 2, Infinity],
    [NaN, 2, NaN],
  ])("rounds %d to %d digits", (x, digits, expected) => {
    expect(pythonRoundTo(x, digits)).toBe(expected);
  });
});
