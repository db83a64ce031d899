import fc from "fast-check";
import { expect, it } from "vitest";

import { placeBenchmarkStrip, STRIP_HEIGHT } from "./benchmark-strip";

const RUN = fc
  .tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 0.4, noNaN: true }),
    fc.boolean(),
  )
  .map(([value, reach, hasInterval]) => ({
    value,
    low: hasInterval ? value - reach : null,
    high: hasInterval ? value + reach : null,
  }));

it("draws every run inside, in the order of its value, and labels that do not overlap", () => {
  fc.assert(
    fc.property(fc.array(RUN, { minLength: 1, maxLength: 24 }), (runs) => {
      const { points, best, labels } = placeBenchmarkStrip(runs);
      for (const { x, y, line } of points) {
        for (const share of [x, y, ...(line === null ? [] : [line.from, line.to])]) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
      }
      const [first] = runs;
      for (const [at, run] of runs.entries()) {
        if (first !== undefined && run.value - first.value > 1e-9)
          expect(points[at]?.y).toBeLessThan(points[0]?.y ?? 0);
      }
      expect(runs[best]?.value).toBe(Math.max(...runs.map(({ value }) => value)));
      for (const y of [labels.newest, labels.best]) {
        expect(y).toBeGreaterThanOrEqual(7.5 - 1e-9);
        expect(y).toBeLessThanOrEqual(STRIP_HEIGHT - 7.5 + 1e-9);
      }
      const gap = labels.newest - labels.best;
      if (best === runs.length - 1) expect(gap).toBe(0);
      else expect(gap).toBeGreaterThanOrEqual(15 - 1e-9);
    }),
  );
});

it("has a scale at least 0.3 wide", () => {
  const { points } = placeBenchmarkStrip([
    { value: 0.5, low: null, high: null },
    { value: 0.53, low: null, high: null },
  ]);
  expect((points[0]?.y ?? 0) - (points[1]?.y ?? 0)).toBeCloseTo(0.1, 12);
});
