import { expect, test } from "vitest";

import { computeRankSets } from "./rank-sets";
import reference from "./reference/ranks.json";

const ZERO = { missing: "zero" } as const;

/** A value of each task. */
function asGroup(values: readonly (number | null)[]) {
  return values.map((value, at) => ({ task: `t${String(at)}`, values: [value] }));
}

test("allows the ranks that NumPy and SciPy find from every pair", () => {
  expect(reference.cases).toHaveLength(13);
  for (const { groups, low, high, pairs } of reference.cases) {
    const values = groups.map((tasks) =>
      Object.entries(tasks).map(([task, attempts]) => ({ task, values: attempts as readonly number[] })),
    );
    const { ranks, nPairs } = computeRankSets(values, ZERO);
    expect(ranks.map((rank) => rank.low)).toEqual(low);
    expect(ranks.map((rank) => rank.high)).toEqual(high);
    expect(nPairs).toBe(pairs);
  }
});

test("leaves out no rank for what it could not compare", () => {
  expect(computeRankSets([], ZERO).ranks).toEqual([]);
  expect(computeRankSets([asGroup([1, 0])], ZERO).ranks).toEqual([{ low: 1, high: 1, nUncompared: 0 }]);
  const infinite = asGroup([Infinity, 0, 0, 0, 0, 0, 0, 0, 0]);
  const [best, worst] = [asGroup(Array(9).fill(1)), asGroup(Array(9).fill(0))];
  expect(computeRankSets([best, worst, infinite], ZERO).ranks).toEqual([
    { low: 1, high: 2, nUncompared: 1 },
    { low: 2, high: 3, nUncompared: 1 },
    { low: 1, high: 3, nUncompared: 2 },
  ]);
});

test("counts missing values as the rule says", () => {
  const full = asGroup(Array(12).fill(1));
  const missing = asGroup(Array(12).fill(null).fill(1, 0, 2));
  expect(computeRankSets([missing, full], ZERO).ranks[0]?.low).toBe(2);
  expect(computeRankSets([missing, full], { missing: "exclude" }).ranks[0]?.low).toBe(1);
});
