import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { computeCostPerPass } from "./cost-and-time";
import { DIMENSION_EDGES, computeDistribution, computeShare, countBins } from "./distribution";

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

test("a share on an edge belongs to the bin above, 1 to the last", () => {
  expect(countBins([0, 0.29, 0.3, 0.7, 1, 1])).toEqual([1, 0, 1, 1, 0, 0, 0, 1, 0, 2]);
});

test("every share is counted once and within its edges", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 }), (given) => {
      const bins = countBins(given);
      expect(bins.reduce((sum, count) => sum + count, 0)).toBe(given.length);
      for (const share of given) {
        const [low, high] = [DIMENSION_EDGES, DIMENSION_EDGES.slice(1)];
        const holder = low.findIndex(
          (edge, bin) => share >= edge && (share < (high[bin] ?? 1) || bin === bins.length - 1),
        );
        expect(bins[holder]).toBeGreaterThan(0);
      }
    }),
  );
});

test("a share of nothing is unknown, not zero", () => {
  expect([computeShare(0, 4), computeShare(3, 4), computeShare(0, 0)]).toEqual([0, 0.75, null]);
});
