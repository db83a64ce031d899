import { describe, expect, test } from "vitest";

import { computeSignFlipTest } from "./difference-bounds";
import { type PairedComparison, computePairedComparison } from "./paired-comparison";
import { computePassDifference } from "./pass-curves";
import type { TaskValues } from "./task-values";

function nameTasks(values: readonly (readonly (number | null)[])[], prefix = "task"): TaskValues[] {
  return values.map((attempts, index) => ({ task: `${prefix}-${String(index)}`, values: attempts }));
}

function compare(
  first: readonly TaskValues[],
  second: readonly TaskValues[],
  missing: "zero" | "exclude" = "zero",
): PairedComparison {
  const result = computePairedComparison(first, second, { missing });
  if (result.kind === "unavailable") throw new Error(result.reason);
  return result;
}

/** Quantiles 0.975 and 0.8 of t with 5 degrees of freedom, by SciPy 1.17.1. */
const T_OF_FIVE = 2.5705818356363141 + 0.91954378024082596;

/** 12 tasks with 5 attempts; `c` of them pass. */
function passTasks(counts: readonly number[]): TaskValues[] {
  return nameTasks(counts.map((c) => Array.from({ length: 5 }, (_, i) => (i < c ? 1 : 0))));
}

describe("the sign-flip test", () => {
  test("ignores tasks without a difference, so many ties stay exact", () => {
    const ties = new Array<number>(100).fill(0);
    expect(computeSignFlipTest([...ties, 0.2, 0.2, 0.4], 1)).toEqual({
      p: 0.25,
      midP: 0.125,
      method: "exact",
      patterns: 8,
      seed: null,
    });
    expect(computeSignFlipTest(ties, 1).p).toBe(1);
  });

  test("sampled p is close to the exact one and never 0", () => {
    const twenty = Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? -0.2 : 0.3));
    const exact = computeSignFlipTest(twenty, 1).p;
    // A difference of next to nothing, which is no multiple of the others' step, makes it 21, which draws.
    const drawn = computeSignFlipTest([...twenty, 1e-12], 5);
    expect(drawn).toMatchObject({ method: "sampled", patterns: 100_000, seed: 5 });
    expect(Math.abs(drawn.p - exact)).toBeLessThan(0.003);
    const sixty = Array.from({ length: 60 }, (_, i) => 1 + Math.SQRT2 * i);
    expect(computeSignFlipTest(sixty, 5).p).toBe(1 / 100_001);
  });

  test("multiples of one step are counted exactly however many they are, as every pattern in turn gives", () => {
    const tasks = [1 / 3, -1 / 2, 1 / 6, 2 / 3, 1 / 3, -1 / 6, 1, 1 / 2, 5 / 6, -1 / 3, 1 / 6, 1 / 3];
    const far = Math.abs(tasks.reduce((sum, value) => sum + value, 0)) - 1e-9;
    let nFar = 0;
    for (let pattern = 0; pattern < 2 ** tasks.length; pattern++) {
      const sum = tasks.reduce((all, value, i) => all + ((pattern >> i) & 1 ? value : -value), 0);
      if (Math.abs(sum) >= far) nFar++;
    }
    expect(computeSignFlipTest(tasks, 1)).toMatchObject({ p: nFar / 2 ** tasks.length, seed: null });
    // All of 200 the same way, and 115 of 200: twice a binomial tail, counted in whole numbers.
    expect(computeSignFlipTest(new Array<number>(200).fill(0.2), 1).p).toBe(2 ** -199);
    const split = Array.from({ length: 200 }, (_, i) => (i < 115 ? 0.2 : -0.2));
    expect(computeSignFlipTest(split, 1).p).toBeCloseTo(countTail(200, 115), 12);
  });
});

/** Chance of at least `k` of `n` fair coins on one side or the other, in whole numbers. */
function countTail(n: number, k: number): number {
  let [ways, tail] = [1n, 0n];
  for (let i = 0n; i <= BigInt(n); i++) {
    if (i >= BigInt(k)) tail += ways;
    ways = (ways * (BigInt(n) - i)) / (i + 1n);
  }
  return Number((tail * 2n * 10n ** 18n) / 2n ** BigInt(n)) / 1e18;
}

describe("verdicts", () => {
  test("a clear lead", () => {
    const first = passTasks([5, 5, 4, 5, 5, 3, 5, 4, 5, 5, 5, 4]);
    const second = passTasks([2, 3, 2, 3, 4, 0, 3, 2, 3, 2, 5, 4]);
    const result = compare(first, second);
    expect(result).toMatchObject({ verdict: "first-better", won: 10, tied: 2, lost: 0, nTasks: 12 });
    const mirrored = compare(second, first);
    expect(mirrored).toMatchObject({ verdict: "second-better", difference: -result.difference, lost: 10 });
  });

  test("a lead that may be chance", () => {
    const result = compare(passTasks([5, 0, 4, 1, 5, 3]), passTasks([4, 1, 4, 1, 3, 5]));
    expect(result.verdict).toBe("no-clear-difference");
    expect(result.difference).toBe(0);
    const slight = compare(passTasks([5, 0, 4, 1, 5, 4]), passTasks([4, 1, 4, 1, 3, 5]));
    expect(slight.verdict).toBe("no-clear-difference");
  });

  test("a lead on few tasks that signs alone could give is not called one", () => {
    const result = compare(passTasks([5, 5, 5, 5, 5, 3, 3, 3]), passTasks([2, 3, 2, 3, 2, 3, 3, 3]));
    // t alone would be certain; interval and p value say what the signs say.
    expect(result.bounds).toMatchObject({ low: 0, p: 2 / 32, signFlip: { p: 2 / 32 } });
    expect(result.bounds.kind === "computed" ? result.bounds.pOfMethod : 1).toBeLessThan(0.05);
    expect(result.verdict).toBe("no-clear-difference");
  });

  test("the same results on every task leave room for what 12 tasks cannot show", () => {
    const tasks = passTasks([5, 0, 4, 1, 5, 3, 5, 0, 4, 1, 5, 3]);
    const result = compare(tasks, tasks);
    const reach = 1 - 0.05 ** (1 / 12);
    expect(result).toMatchObject({
      verdict: "no-clear-difference",
      bounds: { method: "exact-bound", low: -reach, high: reach },
    });
    expect(result.bounds).toHaveProperty("p", 1);
    expect(result.detectable).toEqual({ kind: "unavailable", reason: "no-variation" });
  });

  test("winning every task outright is a lead with an exact bound", () => {
    const all = nameTasks(Array.from({ length: 24 }, () => [1]));
    const none = nameTasks(Array.from({ length: 24 }, () => [0]));
    const low = 1 - 2 * (1 - 0.05 ** (1 / 24));
    const { bounds } = compare(all, none);
    expect(bounds.kind === "computed" && bounds.low).toBeCloseTo(low, 12);
    expect(compare(all, none)).toMatchObject({
      verdict: "first-better",
      bounds: { method: "exact-bound", high: 1 },
    });
    expect(compare(none, all)).toMatchObject({ verdict: "second-better", bounds: { low: -1 } });
  });

  test("one task and no task", () => {
    const one = compare(passTasks([5]), passTasks([2]));
    expect(one).toMatchObject({
      verdict: "no-interval",
      bounds: { kind: "unavailable", reason: "one-task" },
    });
    const none = computePairedComparison(nameTasks([[1]], "a"), nameTasks([[1]], "b"), { missing: "zero" });
    expect(none).toEqual({ kind: "unavailable", reason: "no-common-tasks" });
  });

  test("rewards outside 0 to 1 are no rates", () => {
    const result = compare(
      nameTasks([[10], [12], [11], [13], [9], [12]]),
      nameTasks([[3], [5], [3.5], [6], [2], [5]]),
    );
    expect(result.isRate).toBe(false);
  });
});

test("missing values and tasks of one side are counted", () => {
  const result = compare(nameTasks([[1, null], [1], [0]]), nameTasks([[0, 1], [null]]), "exclude");
  expect(result).toMatchObject({
    nTasks: 1,
    nOnlyFirst: 2,
    nOnlySecond: 0,
    nMissingFirst: 1,
    nMissingSecond: 1,
  });
  expect(compare(nameTasks([[1, null]]), nameTasks([[0, 1]]), "zero").difference).toBe(0);
});

test("the detectable difference is both critical values of t in standard errors, and shrinks with attempts only by its trial noise", () => {
  const result = compare(passTasks([5, 4, 1, 3, 5, 2]), passTasks([2, 4, 0, 3, 1, 2]));
  if (result.detectable.kind === "unavailable" || result.bounds.kind === "unavailable")
    throw new Error("no bounds");
  const error = result.bounds.standardError ?? 0;
  expect(result.detectable.difference).toBeCloseTo(T_OF_FIVE * error, 6);
  const noise =
    [5, 4, 1, 3, 5, 2, 2, 4, 0, 3, 1, 2].reduce((sum, c) => sum + ((c / 5) * (1 - c / 5)) / 4, 0) / 6;
  const total = error ** 2 * 6;
  expect(result.detectable.withTwiceTheAttempts).toBeCloseTo(
    T_OF_FIVE * Math.sqrt((total - noise / 2) / 6),
    6,
  );
  const six = [[1], [0], [1], [1], [0], [1]];
  const single = compare(nameTasks(six), nameTasks([[0], [0], [1], [0], [0], [1]]));
  expect(single.detectable).toMatchObject({ withTwiceTheAttempts: null, allSpreadIsTrialNoise: false });
});

test("fewer than six tasks can show nothing, so nothing is said to be detectable", () => {
  const five = nameTasks([[1], [1], [1], [1], [0.5]]);
  const result = compare(five, nameTasks([[0], [0], [0.2], [0.1], [0]]));
  expect(result.detectable).toEqual({ kind: "unavailable", reason: "too-few-tasks" });
  expect(result.verdict).toBe("no-clear-difference");
});

test("where most tasks tie the interval is the curve's own at k = 1, and no narrower for saying that nothing differs", () => {
  const first = Array.from({ length: 100 }, (_, i) => (i < 3 ? 1 : 0));
  const result = compare(nameTasks(first.map((c) => [c])), nameTasks(first.map(() => [0])));
  const count = (all: readonly number[]) => all.map((c, i) => ({ task: `task-${String(i)}`, n: 1, c }));
  const curve = computePassDifference(count(first), count(first.map(() => 0)));
  const band = curve.kind === "computed" ? curve.points[0]?.passAtK.band : undefined;
  if (band?.kind !== "computed" || result.bounds.kind !== "computed") throw new Error("no interval");
  expect(result.bounds.method).toBe("agresti-min");
  expect(result.bounds.low).toBeCloseTo(band.low, 12);
  expect(result.bounds.high).toBeCloseTo(band.high, 12);
  // 5 % of samples of 100 tasks show none of a share of 0.0295.
  expect(result.bounds.ofEachSide.low).toBeLessThanOrEqual(-(1 - 0.05 ** 0.01) + 1e-12);
});

test("the order of tasks and of groups changes nothing but the sign", () => {
  const values = (seed: number) => Array.from({ length: 22 }, (_, i) => [((i * seed) % 17) / 17]);
  const [first, second] = [nameTasks(values(5)), nameTasks(values(7))];
  const there = compare(first, second);
  const back = compare(second.toReversed(), first);
  expect(back.difference).toBeCloseTo(-there.difference, 12);
  if (there.bounds.kind !== "computed" || back.bounds.kind !== "computed") throw new Error("no interval");
  expect(back.bounds.signFlip).toEqual(there.bounds.signFlip);
  expect(back.bounds.low).toBeCloseTo(-there.bounds.high, 12);
});
