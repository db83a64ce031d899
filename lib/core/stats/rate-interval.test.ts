import fc from "fast-check";
import { expect, test } from "vitest";

import {
  type RateInterval,
  computeClopperPearsonInterval,
  computeJeffreysInterval,
  computeWilsonInterval,
} from "./rate-interval";
import reference from "./reference/agreement.json";
import type { Unavailable } from "./unavailable";

const METHODS = [computeWilsonInterval, computeClopperPearsonInterval, computeJeffreysInterval];

function expectInterval(interval: RateInterval | Unavailable): RateInterval {
  if (interval.kind === "unavailable") throw new Error(interval.reason);
  return interval;
}

test("all three match statsmodels", () => {
  expect(reference.rates).toHaveLength(160);
  for (const { count, n, wilson, exact, jeffreys } of reference.rates) {
    METHODS.forEach((compute, index) => {
      const interval = expectInterval(compute(count, n));
      const [low = Number.NaN, high = Number.NaN] = [wilson, exact, jeffreys][index] ?? [];
      // At the ends statsmodels leaves Wilson's limit a rounding error from 0 and Jeffreys's where the prior ends.
      if (count > 0) expect(Math.abs(interval.low / low - 1)).toBeLessThan(1e-10);
      else expect(interval.low).toBe(0);
      if (count < n) expect(Math.abs(interval.high / high - 1)).toBeLessThan(1e-10);
      else expect(interval.high).toBe(1);
    });
  }
});

test("none is of zero width, holds the share, and counts failures as it counts passes", () => {
  const rates = fc
    .integer({ min: 1, max: 2000 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
  fc.assert(
    fc.property(rates, fc.constantFrom(...METHODS), ([count, n], compute) => {
      const interval = expectInterval(compute(count, n));
      const mirrored = expectInterval(compute(n - count, n));
      expect(interval.high - interval.low).toBeGreaterThan(0);
      expect(interval.low).toBeLessThanOrEqual(interval.rate);
      expect(interval.high).toBeGreaterThanOrEqual(interval.rate);
      expect(mirrored.low).toBeCloseTo(1 - interval.high, 9);
    }),
  );
});

test("of nothing there is no share", () => {
  for (const compute of METHODS) expect(compute(0, 0)).toEqual({ kind: "unavailable", reason: "no-values" });
});
