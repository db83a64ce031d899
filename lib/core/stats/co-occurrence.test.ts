import { describe, expect, it } from "vitest";

import { computeCoOccurrence } from "./agreement";

/** Binomial coefficients as whole numbers, so that nothing is rounded. */
function choose(n: number, k: number): bigint {
  let result = 1n;
  for (let i = 0; i < k; i += 1) result = (result * BigInt(n - i)) / BigInt(i + 1);
  return result;
}

/** The definition: ways to deal the marks with at least `from` together, of all ways. */
function countTail(from: number, nFirst: number, nSecond: number, n: number): number {
  let ways = 0n;
  for (let k = from; k <= Math.min(nFirst, nSecond); k += 1)
    if (nFirst - k <= n - nSecond) ways += choose(nSecond, k) * choose(n - nSecond, nFirst - k);
  return Number((ways * 10n ** 60n) / choose(n, nFirst)) / 1e60;
}

describe("co-occurrence", () => {
  it("of the lady tasting tea: all four cups right by 1 in 70", () => {
    const tea = computeCoOccurrence({ nBoth: 4, nFirst: 4, nSecond: 4, n: 8 });
    expect(tea).toMatchObject({ expected: 2, share: 1 });
    expect(tea.kind === "computed" && tea.p).toBeCloseTo(1 / 70, 14);
  });

  it("has the chance that counting all ways to deal the marks gives", () => {
    for (const [nBoth, nFirst, nSecond, n] of [
      [3, 10, 7, 40],
      [0, 10, 7, 40],
      [7, 7, 7, 9],
      [5, 7, 7, 9],
      [40, 60, 90, 300],
      [1, 1, 1, 1],
      [12, 30, 100, 200],
    ] as const) {
      const found = computeCoOccurrence({ nBoth, nFirst, nSecond, n });
      if (found.kind !== "computed") throw new Error("every mark is on a row");
      const exact = countTail(nBoth, nFirst, nSecond, n);
      expect(Math.abs(found.p / exact - 1), JSON.stringify([nBoth, nFirst, nSecond, n])).toBeLessThan(1e-10);
    }
  });

  it("stays a number where the chance is too small for one, and is refused without a mark", () => {
    const huge = computeCoOccurrence({ nBoth: 9000, nFirst: 9000, nSecond: 9000, n: 20_000 });
    expect(huge.kind === "computed" && huge.p).toBeGreaterThan(0);
    expect(computeCoOccurrence({ nBoth: 0, nFirst: 0, nSecond: 4, n: 8 }).kind).toBe("unavailable");
  });
});
