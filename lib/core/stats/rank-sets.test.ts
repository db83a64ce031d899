import { expect, test } from "vitest";

import { computeTQuantile } from "./distributions";
import { computePairedComparison } from "./paired-comparison";
import { createRandomSource } from "./random";
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

/** Values of tasks that have a difficulty of their own: groups are paired by task. */
function drawGroups(means: readonly number[], nTasks: number, seed: number) {
  const random = createRandomSource(seed);
  const draw = () => random.nextUint32() / 2 ** 32;
  const difficulty = Array.from({ length: nTasks }, () => 3 * draw());
  return means.map((mean) => difficulty.map((own) => mean + own + draw() + draw()));
}

test("allows first place where Hsu's limit by the closed form is not below 0", () => {
  let nBehind = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const groups = drawGroups([0, 0.1, 0.25, 0.4], 60, seed);
    const d = computeTQuantile(1 - 0.025 / 3, 59);
    const expected = groups.map((own) =>
      groups.every((other) => {
        if (other === own) return true;
        const differences = own.map((value, at) => value - (other[at] ?? 0));
        const mean = differences.reduce((sum, value) => sum + value, 0) / 60;
        const squares = differences.reduce((sum, value) => sum + (value - mean) ** 2, 0);
        return mean + d * Math.sqrt(squares / 59 / 60) > 0;
      }),
    );
    const { ranks } = computeRankSets(groups.map(asGroup), ZERO);
    expect(ranks.map(({ low }) => low === 1)).toEqual(expected);
    nBehind += expected.filter((isFirst) => !isFirst).length;
  }
  expect(nBehind).toBeGreaterThan(20);
});

test("holds the best of groups in at least 97.5 of 100 samples, however many are as good", () => {
  const samples = Array.from({ length: 400 }, (_, seed) =>
    computeRankSets(drawGroups(Array(8).fill(0), 20, seed + 1).map(asGroup), ZERO),
  );
  const held = samples.filter(({ ranks }) => ranks[0]?.low === 1).length;
  // Three standard errors below 0.975.
  expect(held / samples.length).toBeGreaterThan(0.975 - 3 * Math.sqrt((0.975 * 0.025) / 400));
});

test("tells two groups apart where their comparison does", () => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    const groups = drawGroups([0, 0.2], 20, seed).map(asGroup);
    const [first = [], second = []] = groups;
    const compared = computePairedComparison(first, second, ZERO);
    const isClear = compared.kind === "computed" && compared.verdict !== "no-clear-difference";
    expect(computeRankSets(groups, ZERO).ranks.some(({ low }) => low > 1)).toBe(isClear);
  }
});
