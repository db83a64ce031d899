import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { expectClose, expectComputed } from "./expect-close.fixture";
import { computeEquivalence, computeMcNemarTest, computePairedComparison } from "./paired-comparison";
import {
  computeAttemptsNeeded,
  computeDetectableDifference,
  computePairingGain,
  computeTasksNeeded,
  estimatePairedSpread,
} from "./power";
import reference from "./reference/paired.json";

const ZERO = { missing: "zero" } as const;

function listTasks(values: readonly (readonly number[])[]): { task: string; values: readonly number[] }[] {
  return values.map((entry, index) => ({ task: String(index), values: entry }));
}

describe("McNemar's exact test", () => {
  const single = (passes: readonly number[]) => passes.map((c, index) => ({ task: String(index), n: 1, c }));
  const split = (b: number, c: number) => ({
    first: single([...new Array<number>(b).fill(1), ...new Array<number>(c).fill(0), 1, 1, 1, 0]),
    second: single([...new Array<number>(b).fill(0), ...new Array<number>(c).fill(1), 1, 1, 1, 0]),
  });

  test("statsmodels gives the same p for 173 tables", () => {
    expect(reference.mcnemar).toHaveLength(173);
    for (const [b = 0, c = 0, p = Number.NaN] of reference.mcnemar) {
      const { first, second } = split(b, c);
      const found = expectComputed(computeMcNemarTest(first, second));
      expectClose(found.p, p, `p(${String(b)}, ${String(c)})`);
      expect(found).toMatchObject({
        bothPassed: 3,
        nonePassed: 1,
        onlyFirst: b,
        onlySecond: c,
        nTasks: b + c + 4,
      });
    }
  });

  test("the mid-p takes half of the split that was seen, in exact fractions", () => {
    for (const [b, c] of [
      [1, 0],
      [0, 5],
      [1, 5],
      [4, 4],
      [9, 2],
      [17, 30],
    ] as const) {
      const { first, second } = split(b, c);
      const found = expectComputed(computeMcNemarTest(first, second));
      expectClose(found.midP, computeExactMidP(b, c), `mid-p(${String(b)}, ${String(c)})`);
    }
  });

  test("the sign-flip test's mid-p is the same where every task has one attempt", () => {
    for (const [b, c] of [
      [0, 0],
      [1, 5],
      [4, 4],
      [9, 2],
      [0, 12],
    ] as const) {
      const { first, second } = split(b, c);
      const [x, y] = [first, second].map((tasks) =>
        tasks.map(({ task, c: passes }) => ({ task, values: [passes] })),
      );
      const compared = expectComputed(computePairedComparison(x ?? [], y ?? [], { missing: "zero" }));
      const exact = expectComputed(computeMcNemarTest(first, second));
      const { signFlip } = expectComputed(compared.bounds);
      expectClose(signFlip.p, exact.p, `p(${String(b)}, ${String(c)})`);
      expectClose(signFlip.midP, exact.midP, `mid-p(${String(b)}, ${String(c)})`);
    }
  });

  test("is symmetric, and for one attempt a task only", () => {
    const { first, second } = split(9, 2);
    expect(expectComputed(computeMcNemarTest(second, first)).p).toBe(
      expectComputed(computeMcNemarTest(first, second)).p,
    );
    expect(computeMcNemarTest([{ task: "0", n: 2, c: 1 }], second)).toEqual({
      kind: "unavailable",
      reason: "several-attempts",
    });
    expect(computeMcNemarTest([], second)).toEqual({ kind: "unavailable", reason: "no-common-tasks" });
  });
});

/** Twice the chance of a split more uneven than this one, and that of this one once, counted out of 2 ** n splits. */
function computeExactMidP(b: number, c: number): number {
  const n = b + c;
  const ways = (k: number): bigint => {
    let product = 1n;
    for (let i = 1; i <= k; i++) product = (product * BigInt(n - k + i)) / BigInt(i);
    return product;
  };
  const distance = Math.abs(b - c);
  let [beyond, same] = [0n, 0n];
  for (let k = 0; k <= n; k++) {
    if (Math.abs(n - 2 * k) > distance) beyond += ways(k);
    if (Math.abs(n - 2 * k) === distance) same += ways(k);
  }
  // All of it over 2 ** (n + 1), so that the half stays whole.
  return Number(2n * beyond + same) / 2 ** (n + 1);
}

describe("equivalence within a margin", () => {
  test("statsmodels' two one-sided tests flip at the same margin", () => {
    expect(reference.equivalence).toHaveLength(32);
    for (const { first, second, low, high, margin, pInside, pOutside } of reference.equivalence) {
      const pair = [first, second].map((values) => listTasks(values.map((value) => [value])));
      const comparison = computePairedComparison(pair[0] ?? [], pair[1] ?? [], ZERO);
      const inside = expectComputed(computeEquivalence(comparison, margin * 1.01));
      const outside = expectComputed(computeEquivalence(comparison, margin * 0.99));
      expectClose(inside.low, low, "low");
      expectClose(inside.high, high, "high");
      expect(inside.verdict === "equivalent").toBe(pInside < 0.05);
      expect(outside.verdict === "equivalent").toBe(pOutside < 0.05);
    }
  });

  test("a certain difference that is too small to matter is both", () => {
    const first = listTasks(Array.from({ length: 60 }, (_, index) => [0.5 + (index % 3) / 100]));
    const second = listTasks(Array.from({ length: 60 }, (_, index) => [0.48 + (index % 2) / 100]));
    const comparison = computePairedComparison(first, second, ZERO);
    expect(computeEquivalence(comparison, 0.1)).toMatchObject({
      verdict: "equivalent",
      isDifferent: true,
      level: expect.closeTo(0.9, 12) as number,
    });
    expect(computeEquivalence(comparison, 0.001)).toMatchObject({ verdict: "first-better" });
  });

  test("too little data is not equivalence", () => {
    const few = [listTasks([[0], [1], [0], [1]]), listTasks([[1], [0], [0], [1]])] as const;
    expect(computeEquivalence(computePairedComparison(...few, ZERO), 0.05)).toMatchObject({
      verdict: "no-clear-difference",
    });
    expect(computeEquivalence(computePairedComparison([], few[0], ZERO), 0.05)).toEqual({
      kind: "unavailable",
      reason: "no-common-tasks",
    });
  });
});

describe("power", () => {
  test("statsmodels' normal power for 216 designs, and the way back to tasks and attempts", () => {
    expect(reference.power).toHaveLength(216);
    for (const { between, trial, attempts, nTasks, power, difference } of reference.power) {
      const spread = { between, trialFirst: trial, trialSecond: trial };
      const design = { nTasks, attemptsFirst: attempts, attemptsSecond: attempts };
      const found = computeDetectableDifference(spread, design, { power });
      expectClose(found, difference, "detectable");
      expect(computeTasksNeeded(spread, { ...design, difference: found }, { power })).toBe(nTasks);
      expect(computeAttemptsNeeded(spread, { nTasks, difference: found }, { power })).toEqual({
        kind: "computed",
        attempts,
      });
    }
  });

  test("89 tasks with 1, 5 and 10 attempts detect 13.6, 8.5 and 7.6 points", () => {
    const points = [1, 5, 10].map((k) =>
      computeDetectableDifference(
        { between: 0.05, trialFirst: 0.08, trialSecond: 0.08 },
        { nTasks: 89, attemptsFirst: k, attemptsSecond: k },
      ),
    );
    expect(points.map((value) => (value * 100).toFixed(1))).toEqual(["13.6", "8.5", "7.6"]);
    expect(
      computeAttemptsNeeded(
        { between: 0.05, trialFirst: 0.08, trialSecond: 0.08 },
        { nTasks: 89, difference: 0.06 },
      ),
    ).toEqual({ kind: "unavailable", reason: "out-of-reach" });
  });

  test("a pilot's spread splits into tasks and trials", () => {
    const first = listTasks([
      [0, 1],
      [1, 1],
      [0, 0],
    ]);
    const second = listTasks([
      [0, 0],
      [0, 1],
      [0, 0],
    ]);
    // Task means differ by 1/2, 1/2, 0; within, one task a side varies with variance 1/2.
    const found = expectComputed(estimatePairedSpread(first, second, ZERO));
    expectClose(found.trialFirst, 1 / 6, "first");
    expectClose(found.trialSecond, 1 / 6, "second");
    expect(found).toMatchObject({ between: 0, nTasks: 3, missing: "zero" });
    expect(estimatePairedSpread(listTasks([[1], [0]]), second, ZERO)).toEqual({
      kind: "unavailable",
      reason: "too-few-attempts",
    });
  });

  test("pairing saves what the correlation says", () => {
    const value = fc.double({ min: 0, max: 1, noNaN: true }).map((x) => Math.round(x * 1000) / 1000);
    const tasks = fc.array(fc.tuple(value, value), { minLength: 3, maxLength: 20 });
    fc.assert(
      fc.property(tasks, (pairs) => {
        const first = listTasks(pairs.map(([x]) => [x]));
        const second = listTasks(pairs.map(([, y]) => [y]));
        const gain = computePairingGain(first, second, ZERO);
        const comparison = expectComputed(computePairedComparison(first, second, ZERO));
        if (gain.kind === "unavailable" || comparison.correlation === null) return;
        const spread = (values: readonly number[]) => {
          const mean = values.reduce((a, b) => a + b) / values.length;
          return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0));
        };
        const [a, b] = [spread(pairs.map(([x]) => x)), spread(pairs.map(([, y]) => y))];
        expect(gain.saved).toBeCloseTo((2 * comparison.correlation * a * b) / (a * a + b * b), 6);
        expect(computePairingGain(second, first, ZERO)).toEqual(gain);
      }),
    );
  });
});
