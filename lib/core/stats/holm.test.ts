import fc from "fast-check";
import { expect, test } from "vitest";

import { adjustByHolm, adjustTogether, computePairedComparison } from "./index";

test("gives what p.adjust of R gives, ties and more than 1 among them", () => {
  // p.adjust(c(...), "holm") of R 4.
  expect(adjustByHolm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02].map(within));
  expect(adjustByHolm([0.2, 0.2, 0.9, 0.001])).toEqual([0.6, 0.6, 0.9, 0.004].map(within));
  expect(adjustByHolm([0.5, 0.6])).toEqual([1, 1]);
  expect(adjustByHolm([0.04])).toEqual([0.04]);
  expect(adjustByHolm([])).toEqual([]);
});

test("is the closed test of Bonferroni: a hypothesis falls when every set that holds it does", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.constantFrom(0.001, 0.02, 0.5, 1), fc.double({ min: 1e-9, max: 1, noNaN: true })),
        {
          minLength: 1,
          maxLength: 7,
        },
      ),
      (ps) => {
        const closed = ps.map((_, at) => {
          let most = 0;
          for (let set = 0; set < 2 ** ps.length; set++) {
            if ((set & (1 << at)) === 0) continue;
            const own = ps.filter((__, index) => (set & (1 << index)) !== 0);
            most = Math.max(most, Math.min(1, own.length * Math.min(...own)));
          }
          return most;
        });
        expect(adjustByHolm(ps)).toEqual(closed.map(within));
      },
    ),
  );
});

test("the verdict follows the adjusted p-value, and the interval stays that of its own difference", () => {
  const of = (...passes: readonly number[]) =>
    passes.map((own, at) => ({
      task: String(at),
      values: [0, 1, 2, 3, 4].map((one) => (one < own ? 1 : 0)),
    }));
  const base = of(2, 2, 2, 3, 2, 3, 2, 2, 4, 3);
  const near5 = of(3, 2, 3, 4, 3, 3, 3, 2, 5, 4);
  const alone = computePairedComparison(near5, base, { missing: "zero" });
  if (alone.kind !== "computed" || alone.bounds.kind !== "computed") throw new Error("no interval");
  expect(alone.verdict).toBe("first-better");
  const weak = computePairedComparison(of(2, 3, 2, 3, 2, 3, 2, 2, 4, 2), base, { missing: "zero" });
  const beside = Array.from({ length: 9 }, () => weak);
  const [adjusted, ...others] = adjustTogether([alone, ...beside]);
  if (adjusted?.kind !== "computed" || adjusted.bounds.kind !== "computed") throw new Error("no interval");
  expect(adjusted.bounds).toMatchObject({ low: alone.bounds.low, high: alone.bounds.high, nAdjusted: 10 });
  expect(adjusted.bounds.p).toBeCloseTo(Math.min(1, 10 * alone.bounds.p), 12);
  expect(adjusted.verdict).toBe("no-clear-difference");
  expect(others).toHaveLength(9);
  // Nothing is tested where nothing can be.
  const none = computePairedComparison([], base, { missing: "zero" });
  expect(adjustTogether([none, alone])).toEqual([
    none,
    { ...alone, bounds: { ...alone.bounds, nAdjusted: 1 } },
  ]);
});

function within(value: number): unknown {
  return expect.closeTo(value, 12);
}
