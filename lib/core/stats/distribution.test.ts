import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { computeCostPerPass, computeDistribution, computeHistogram, computeShare } from "./distribution";

test("cost per pass is unknown without a cost or a pass, and 0 when nothing was spent", () => {
  const trials = (...list: readonly (readonly [number | null, boolean])[]) =>
    list.map(([costUsd, isPassed]) => ({ costUsd, isPassed }));
  expect(computeCostPerPass(trials([1, true], [2, false], [null, true], [3, true]))).toBe(3);
  expect(computeCostPerPass(trials([0, true]))).toBe(0);
  expect(computeCostPerPass(trials([null, true], [3, false]))).toBeNull();
});

describe("distribution", () => {
  test("unknown is left out and counted; 0 is a value", () => {
    expect(computeDistribution([0, null, 4, 1, 3, 2, null])).toEqual({
      kind: "computed",
      n: 5,
      nUnknown: 2,
      sum: 10,
      mean: 2,
      min: 0,
      lowerQuartile: 1,
      median: 2,
      upperQuartile: 3,
      p90: 3.6,
      max: 4,
    });
  });

  test("nothing known is a reason, not a 0", () => {
    expect(computeDistribution([null, null])).toEqual({ kind: "unavailable", reason: "no-known-values" });
  });
});

describe("histogram", () => {
  test("a value on an edge belongs to the bin above, the upper end to the last", () => {
    const { bins } = computeHistogram([0, 0.29, 0.3, 0.7, 1], { low: 0, high: 1 }, 100);
    const filled = bins.filter((bin) => bin.count > 0).map((bin) => Number(bin.low.toFixed(2)));
    expect(filled).toEqual([0, 0.29, 0.3, 0.7, 0.99]);
  });

  test("every value is counted exactly once and within its edges", () => {
    const values = fc.array(fc.option(fc.double({ min: -2, max: 3, noNaN: true })), { maxLength: 60 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 37 }), (given, nBins) => {
        const { bins, nUnknown, nBelow, nAbove } = computeHistogram(given, { low: 0, high: 1 }, nBins);
        expect(bins.reduce((sum, bin) => sum + bin.count, nUnknown + nBelow + nAbove)).toBe(given.length);
        for (const value of given) {
          if (value === null || value < 0 || value > 1) continue;
          const holder = bins.find((bin, i) => value >= bin.low && (value < bin.high || i === nBins - 1));
          expect(holder?.count).toBeGreaterThan(0);
        }
      }),
    );
  });
});

test("a share of nothing is unknown, not zero", () => {
  expect([computeShare(0, 4), computeShare(3, 4), computeShare(0, 0)]).toEqual([0, 0.75, null]);
});
