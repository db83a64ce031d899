import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { expectClose, expectComputed } from "./expect-close.fixture";
import { computeFixedTaskCurve } from "./fixed-task-curve";
import { computeMeanErrors } from "./mean-errors";
import { computeMeanInterval } from "./mean-interval";
import { computeMissingScenarios } from "./missing-scenarios";
import type { TrialValue } from "./missing-scenarios";
import { computePassAtK, computePassHatK } from "./pass-at-k";
import reference from "./reference/means.json";
import { computeReliability } from "./reliability";

function listTasks(values: readonly (readonly number[])[]): { task: string; values: readonly number[] }[] {
  return values.map((entry, index) => ({ task: String(index), values: entry }));
}

describe("standard errors of a mean", () => {
  test("few passes or failures: statsmodels' Wilson interval of the effective sample, t otherwise", () => {
    const methods = reference.groups.map(({ tasks, wilson }) => {
      const bounds = expectComputed(
        expectComputed(computeMeanInterval(listTasks(tasks), { missing: "zero" })).bounds,
      );
      if (wilson !== null) {
        // M = 2 has t at 12.7, of which statsmodels' way back through the normal keeps fewer digits.
        const digits = tasks.length > 2 ? 9 : 6;
        expect(bounds.low).toBeCloseTo(wilson[0] ?? Number.NaN, digits);
        expect(bounds.high).toBeCloseTo(wilson[1] ?? Number.NaN, digits);
        expect(bounds).toMatchObject({ halfWidth: null, estimand: "new-tasks", df: tasks.length - 1 });
      }
      expect(bounds.method === "cluster-wilson").toBe(wilson !== null);
      return bounds.method;
    });
    expect(new Set(methods)).toContain("cluster-t");
    expect(methods.filter((method) => method === "cluster-wilson").length).toBeGreaterThan(10);
  });

  test("statsmodels and SciPy for 60 groups of unequal tasks", () => {
    expect(reference.groups).toHaveLength(60);
    for (const { tasks, ...expected } of reference.groups) {
      const found = expectComputed(computeMeanErrors(listTasks(tasks), { missing: "zero" }));
      const sameTasks = expectComputed(found.sameTasks);
      expectClose(found.naive, expected.naive, "naive");
      // Tasks with equal sums leave only rounding between them.
      if (expected.clustered > 1e-9) expectClose(found.clustered, expected.clustered, "clustered");
      expectClose(found.designEffect * found.effectiveN, found.n, "effective n");
      expectClose(sameTasks.df, expected.df, "df");
      expectClose(sameTasks.low, Math.max(0, expected.low), "low");
      expectClose(sameTasks.high, Math.min(1, expected.high), "high");
    }
  });

  test("reruns of tasks that never wavered or ran once are not made up", () => {
    const steady = computeMeanErrors(listTasks([[1, 1], [0, 0]]), { missing: "zero" }); // prettier-ignore
    expect(steady).toMatchObject({
      sameTasks: { kind: "unavailable", reason: "no-variation" },
      designEffect: 3,
    });
    const once = computeMeanErrors(listTasks([[1], [0, 1], [0]]), { missing: "zero" });
    expect(once).toMatchObject({ sameTasks: { kind: "unavailable", reason: "too-few-attempts" } });
    expect(computeMeanErrors(listTasks([[0, 1]]), { missing: "zero" })).toEqual({
      kind: "unavailable",
      reason: "one-task",
    });
  });
});

describe("missing values", () => {
  const trials: readonly TrialValue[] = [
    { task: "a", value: 1, cause: "other" },
    { task: "a", value: null, cause: "infra" },
    { task: "b", value: 0, cause: "infra" },
    { task: "b", value: null, cause: "timeout" },
    { task: "c", value: null, cause: "other" },
    { task: "c", value: 1, cause: "other" },
  ];

  test("each reading has its mean and says how many trials it moves", () => {
    const found = expectComputed(computeMissingScenarios(trials));
    expect(found).toMatchObject({ nTrials: 6, nTasks: 3, nMissing: { infra: 1, timeout: 1, other: 1 } });
    expect(
      found.scenarios.map(({ name, result, nMoved }) => [name, expectComputed(result).mean, nMoved]),
    ).toEqual([
      ["as-scored", 2 / 6, 0],
      ["infra-excluded", 2 / 5, 1],
      ["timeouts-excluded", 2 / 5, 1],
      ["missing-excluded", 2 / 3, 3],
      ["lowest", 2 / 6, 0],
      ["highest", 5 / 6, 3],
    ]);
  });

  test("the other readings lie between the bounds", () => {
    const trial = fc.record({
      task: fc.constantFrom("a", "b", "c"),
      value: fc.option(fc.integer({ min: 0, max: 1 })),
      cause: fc.constantFrom("infra" as const, "timeout" as const, "other" as const),
    });
    fc.assert(
      fc.property(fc.array(trial, { minLength: 1, maxLength: 20 }), (given) => {
        const means = expectComputed(computeMissingScenarios(given)).scenarios.map(({ result }) =>
          result.kind === "computed" ? result.mean : null,
        );
        const [low = Number.NaN, high = Number.NaN] = means.slice(-2).map((mean) => mean ?? Number.NaN);
        for (const mean of means) {
          if (mean === null) continue;
          expect(mean).toBeGreaterThanOrEqual(low - 1e-12);
          expect(mean).toBeLessThanOrEqual(high + 1e-12);
        }
      }),
    );
  });

  test("nothing is a reason", () => {
    expect(computeMissingScenarios([])).toEqual({ kind: "unavailable", reason: "no-tasks" });
    const alone = expectComputed(computeMissingScenarios([{ task: "a", value: null, cause: "infra" }]));
    expect(alone.scenarios[1]).toMatchObject({
      result: { kind: "unavailable", reason: "no-values" },
      nMoved: 1,
    });
  });
});

describe("the same tasks run again", () => {
  const list = (n: number, counts: readonly number[]) =>
    counts.map((c, index) => ({ task: String(index), n, c }));

  test("SciPy's moments and bands under the uniform prior", () => {
    expect(reference.curves).toHaveLength(60);
    for (const { n, k, counts, ...expected } of reference.curves) {
      const found = expectComputed(computeFixedTaskCurve(list(n, counts), { prior: "uniform" }));
      const point = found.points.find((candidate) => candidate.k === k);
      for (const curve of ["passAtK", "passHatK"] as const) {
        const [mean = 0, low = 0, high = 0] = expected[curve];
        expectClose(point?.[curve].expected ?? null, mean, "expected");
        expect(Math.abs((point?.[curve].low ?? 0) / low - 1)).toBeLessThan(1e-8);
        expect(Math.abs((point?.[curve].high ?? 0) / high - 1)).toBeLessThan(1e-8);
      }
    }
  });

  test("a fitted prior leaves the mean where it was seen, narrower than for new tasks", () => {
    const counts = [0, 0, 1, 2, 5, 5, 5, 4, 5, 0, 0, 5];
    const found = expectComputed(computeFixedTaskCurve(list(5, counts)));
    const [first] = found.points;
    const seen = counts.reduce((sum, c) => sum + c, 0) / 60;
    expect(found).toMatchObject({ method: "fitted-beta", estimand: "same-tasks", nTasks: 12 });
    expectClose(first?.passAtK.expected ?? null, seen, "mean");
    const { correlation } = expectComputed(computeReliability(list(5, counts)));
    expectClose(1 / (found.prior.a + found.prior.b + 1), expectComputed(correlation).value, "correlation");
    expect(first?.passAtK.low).toBeLessThan(seen);
    expect(first?.passAtK.high).toBeGreaterThan(seen);
  });

  test("rises with k, falls with k, and meets pass@1", () => {
    const counts = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 2, maxLength: 15 });
    fc.assert(
      fc.property(counts, fc.constantFrom("fitted" as const, "uniform" as const), (given, prior) => {
        const found = computeFixedTaskCurve(list(6, given), { prior });
        if (found.kind === "unavailable") return;
        const atK = found.points.map(({ passAtK }) => passAtK.expected);
        const hatK = found.points.map(({ passHatK }) => passHatK.expected);
        expect(atK).toEqual(atK.toSorted((a, b) => a - b));
        expect(hatK).toEqual(hatK.toSorted((a, b) => b - a));
        expect(atK[0]).toBeCloseTo(hatK[0] ?? Number.NaN, 12);
        for (const { passAtK, passHatK } of found.points) {
          expect(passAtK.high).toBeGreaterThan(passAtK.low);
          expect(passHatK.expected).toBeLessThanOrEqual(passAtK.expected + 1e-12);
        }
      }),
    );
  });

  test("without repetition there is nothing to fit", () => {
    expect(computeFixedTaskCurve(list(1, [0, 1]))).toEqual({
      kind: "unavailable",
      reason: "too-few-attempts",
    });
    expect(computeFixedTaskCurve(list(3, [3, 3]))).toEqual({ kind: "unavailable", reason: "no-variation" });
    expect(computeFixedTaskCurve([])).toEqual({ kind: "unavailable", reason: "no-tasks" });
  });
});

test("pass^k <= mean <= pass@k, pass@1 = pass^1 = c / n, both monotone in k", () => {
  const task = fc.integer({ min: 1, max: 40 }).chain((n) => fc.tuple(fc.constant(n), fc.nat(n)));
  fc.assert(
    fc.property(task, ([n, c]) => {
      let lastAtK = 0;
      let lastHatK = 1;
      for (let k = 1; k <= n; k++) {
        const atK = computePassAtK(n, c, k) ?? Number.NaN;
        const hatK = computePassHatK(n, c, k) ?? Number.NaN;
        if (k === 1) expect([atK, hatK]).toEqual([expect.closeTo(c / n, 12), expect.closeTo(c / n, 12)]);
        expect(hatK).toBeLessThanOrEqual(c / n + 1e-12);
        expect(atK).toBeGreaterThanOrEqual(c / n - 1e-12);
        expect(atK).toBeGreaterThanOrEqual(lastAtK - 1e-12);
        expect(hatK).toBeLessThanOrEqual(lastHatK + 1e-12);
        [lastAtK, lastHatK] = [atK, hatK];
      }
      expect(computePassAtK(n, c, n + 1)).toBeNull();
    }),
  );
});
