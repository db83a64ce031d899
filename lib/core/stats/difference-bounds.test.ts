import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { planRuns } from "@/lib/testing/plan-runs";

import { type DifferenceBounds, computeDifferenceBounds, computeDifferenceLimits } from "./difference-bounds";
import { computeTwoSidedT } from "./distributions";
import { expectComputed } from "./expect-close.fixture";
import { computePairedComparison } from "./paired-comparison";
import { computePassDifference } from "./pass-curves";

function bound(differences: readonly number[], nComparisons = 1, isRate = true): DifferenceBounds {
  return expectComputed(computeDifferenceBounds(differences, { isRate, seed: 1, nComparisons }));
}

/** The chance of t with 11 degrees of freedom beyond `critical` on either side, by Simpson's rule over its density. */
function integrateTails(critical: number): number {
  const density = (t: number) => (1 + (t * t) / 11) ** -6;
  const integrate = (from: number, to: number) => {
    const [steps, width] = [20_000, (to - from) / 20_000];
    let sum = density(from) + density(to);
    for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * density(from + i * width);
    return (sum * width) / 3;
  };
  return integrate(critical, 400) / integrate(0, 400);
}

const TWELVE = [0.4, 0.2, 0.6, -0.2, 0.2, 0.4, 0.8, 0, 0.2, 0.4, -0.4, 0.6];

describe("the two-sided p of t", () => {
  test("has its closed forms with one, two and many degrees of freedom", () => {
    for (const t of [0, 0.3, 1, 4.5, 80]) {
      expect(computeTwoSidedT(t, 1)).toBeCloseTo(1 - (2 / Math.PI) * Math.atan(t), 12);
      expect(computeTwoSidedT(-t, 2)).toBeCloseTo(1 - t / Math.sqrt(2 + t * t), 12);
    }
    expect(computeTwoSidedT(1.959963984540054, 1e9)).toBeCloseTo(0.05, 8);
  });
});

describe("several comparisons", () => {
  test("share the error rate: wider interval and larger p of each, by the same quantile", () => {
    const [alone, ofThree] = [bound(TWELVE), bound(TWELVE, 3)];
    const error = alone.standardError ?? Number.NaN;
    const mean = 3.2 / 12;
    expect(integrateTails((alone.high - mean) / error)).toBeCloseTo(0.05, 8);
    expect(integrateTails((ofThree.high - mean) / error)).toBeCloseTo(0.05 / 3, 8);
    expect(integrateTails(mean / error)).toBeCloseTo(alone.pOfMethod ?? Number.NaN, 8);
    expect(ofThree.level).toBeCloseTo(1 - 0.05 / 3, 15);
    expect(ofThree.p).toBeCloseTo(3 * alone.p, 15);
    expect(alone).toMatchObject({ method: "paired-t", nComparisons: 1, level: 0.95 });
  });

  test("a lead of one comparison may be none among five", () => {
    expect(bound(TWELVE).p).toBeLessThan(0.05);
    expect(bound(TWELVE).low).toBeGreaterThan(0);
    const ofFive = bound(TWELVE, 5);
    expect(ofFive.p).toBeGreaterThan(0.05);
    expect(ofFive.low).toBeLessThanOrEqual(0);
  });
});

const attempts = fc.constantFrom(1, 2, 3, 5);
const counts = fc
  .record({ nTasks: fc.integer({ min: 1, max: 40 }), n: attempts, m: attempts, lead: fc.nat(100) })
  .chain(({ nTasks, n, m, lead }) =>
    fc.array(
      fc
        .tuple(fc.nat(100), fc.nat(100), fc.nat(99))
        .map(([a, b, tie]) =>
          tie < lead / 2
            ? { n, m, c: n, d: m }
            : { n, m, c: Math.round((n * Math.min(100, a + lead / 3)) / 100), d: Math.round((m * b) / 100) },
        ),
      { minLength: nTasks, maxLength: nTasks },
    ),
  );

test("p below 0.05, an interval without 0 and a verdict are one, and the curve's interval at k = 1 is the same", () => {
  let nCertain = 0;
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 5 }), (tasks, nComparisons) => {
      const side = (n: "n" | "m", c: "c" | "d") =>
        tasks.map((task, i) => ({ task: String(i), n: task[n], c: task[c] }));
      const [first, second] = [side("n", "c"), side("m", "d")];
      const toValues = (all: typeof first) =>
        all.map(({ task, n, c }) => ({ task, values: Array.from({ length: n }, (_, i) => (i < c ? 1 : 0)) }));
      const { bounds, verdict, difference } = expectComputed(
        computePairedComparison(toValues(first), toValues(second), { missing: "zero", nComparisons }),
      );
      const curve = expectComputed(computePassDifference(first, second, { resamples: 10, nComparisons }));
      const [point] = curve.points;
      expect(point?.passAtK).toEqual(point?.passHatK);
      expect(point?.passAtK.value).toBe(difference);
      const band = point?.passAtK.band;
      if (bounds.kind === "unavailable") {
        expect(band).toEqual(bounds);
        expect(verdict).toBe("no-interval");
        return;
      }
      expect(band).toMatchObject({ low: bounds.low, high: bounds.high });
      const isCertain = bounds.low > 0 || bounds.high < 0;
      nCertain += Number(isCertain);
      expect(bounds.p < 0.05).toBe(isCertain);
      const better = bounds.low > 0 ? "first-better" : "second-better";
      expect(verdict).toBe(isCertain ? better : "no-clear-difference");
      expect(bounds.low <= difference && difference <= bounds.high).toBe(true);
      // Never louder than the method or the signs alone.
      const shared = 0.05 / nComparisons;
      if (isCertain) expect(Math.max(bounds.pOfMethod ?? 0, bounds.signFlip.p)).toBeLessThan(shared);
    }),
    planRuns({ short: 1800, long: 100_000 }),
  );
  expect(nCertain).toBeGreaterThan(100);
});

test("limits alone equal those of the bounds, without their counts", () => {
  let nCertain = 0;
  fc.assert(
    fc.property(counts, fc.integer({ min: 1, max: 40 }), fc.boolean(), (tasks, nComparisons, isRate) => {
      const differences = tasks.map(({ n, m, c, d }) => c / n - d / m);
      const options = { isRate, seed: 1, nComparisons };
      const bounds = computeDifferenceBounds(differences, options);
      const limits = computeDifferenceLimits(differences, options);
      const isKnown = bounds.kind === "computed";
      expect(limits).toEqual(isKnown ? { kind: "computed", low: bounds.low, high: bounds.high } : bounds);
      nCertain += Number(isKnown && (bounds.low > 0 || bounds.high < 0));
    }),
    planRuns({ short: 500, long: 100_000 }),
  );
  expect(nCertain).toBeGreaterThan(10);
});
