import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { expectClose, expectComputed } from "./expect-close.fixture";
import { computeMeanErrors, computeMeanInterval } from "./mean-interval";
import { computeFixedTaskCurve, computePassAtK, computePassCurve, computePassHatK } from "./pass-curves";
import reference from "./reference/means.json";
import { READINGS, type Sensitivity, type SensitivityTrial, computeSensitivity } from "./sensitivity";

function listTasks(values: readonly (readonly number[])[]): { task: string; values: readonly number[] }[] {
  return values.map((entry, index) => ({ task: String(index), values: entry }));
}

describe("standard errors of a mean", () => {
  test("few passes or failures: Wilson's interval of the effective sample with exact ends, by statsmodels and SciPy; t otherwise", () => {
    const methods = reference.groups.map(({ tasks, fewEvents }) => {
      const bounds = expectComputed(
        expectComputed(computeMeanInterval(listTasks(tasks), { missing: "zero" })).bounds,
      );
      if (fewEvents !== null) {
        // M = 2 has t at 12.7, of which statsmodels' way back through the normal keeps fewer digits.
        const digits = tasks.length > 2 ? 9 : 6;
        expect(bounds.low).toBeCloseTo(fewEvents[0] ?? Number.NaN, digits);
        expect(bounds.high).toBeCloseTo(fewEvents[1] ?? Number.NaN, digits);
        expect(bounds).toMatchObject({ halfWidth: null, estimand: "new-tasks", df: tasks.length - 1 });
      }
      expect(bounds.method === "cluster-wilson").toBe(fewEvents !== null);
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
      if (found.designEffect === 0) expect(found.effectiveN).toBeNull();
      else expectClose(found.designEffect * (found.effectiveN ?? Number.NaN), found.n, "effective n");
      expectClose(sameTasks.df, expected.df, "df");
      expectClose(sameTasks.low, Math.max(0, expected.low), "low");
      expectClose(sameTasks.high, Math.min(1, expected.high), "high");
    }
  });

  test("reruns of tasks that never wavered or ran once are not made up", () => {
    const constant = computeMeanErrors(listTasks([[1, 1], [0, 0]]), { missing: "zero" }); // oxfmt-ignore
    expect(constant).toMatchObject({
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

describe("a score under its readings", () => {
  const trials: readonly SensitivityTrial[] = [
    { task: "a", value: 1, exclusion: null },
    { task: "a", value: null, exclusion: "infrastructure" },
    { task: "b", value: 0, exclusion: "infrastructure" },
    { task: "b", value: null, exclusion: "timeout" },
    { task: "b", value: 1, exclusion: "timeout" },
    { task: "c", value: null, exclusion: null },
    { task: "c", value: 1, exclusion: null },
  ];
  const read = (found: Sensitivity) =>
    READINGS.map((name) => {
      const { result, nMoved } = found.readings[name];
      return [name, result.kind === "computed" ? result.mean : result.reason, nMoved];
    });

  test("each has its mean and says how many trials it moves, with a reward or without", () => {
    const found = expectComputed(computeSensitivity(trials, { missing: "zero" }));
    expect(found).toMatchObject({ nTrials: 7, nTasks: 3, nMissing: 3 });
    expect(read(found)).toEqual([
      ["recorded", 3 / 7, 0],
      ["without-infrastructure", 3 / 5, 2],
      ["without-timeouts", 2 / 5, 2],
      ["without-both", 2 / 3, 4],
      ["without-missing", 3 / 4, 3],
      ["lowest", 3 / 7, 0],
      ["highest", 6 / 7, 3],
    ]);
    // If missing rewards are excluded as recorded, counting them as 0 moves the score.
    expect(read(expectComputed(computeSensitivity(trials, { missing: "exclude" })))).toEqual([
      ["recorded", 3 / 4, 0],
      ["without-infrastructure", 1, 2],
      ["without-timeouts", 2 / 3, 2],
      ["without-both", 1, 4],
      ["without-missing", 3 / 4, 0],
      ["lowest", 3 / 7, 3],
      ["highest", 6 / 7, 3],
    ]);
  });

  test("readings by how trials ended are unavailable while that is unknown for one", () => {
    const pending = [...trials, { task: "c", value: 0, exclusion: "unknown" as const }];
    const found = expectComputed(computeSensitivity(pending, { missing: "zero" }));
    expect(found.nUnknown).toBe(1);
    expect(read(found)).toEqual([
      ["recorded", 3 / 8, 0],
      ["without-infrastructure", "ends-unknown", null],
      ["without-timeouts", "ends-unknown", null],
      ["without-both", "ends-unknown", null],
      ["without-missing", 3 / 5, 3],
      ["lowest", 3 / 8, 0],
      ["highest", 6 / 8, 3],
    ]);
  });

  test("rewards that are no shares have no ends, and what is left of nothing is a reason", () => {
    expect(computeSensitivity([], { missing: "zero" })).toEqual({ kind: "unavailable", reason: "no-tasks" });
    const counted = [...trials, { task: "d", value: 7, exclusion: null }];
    const ends = expectComputed(computeSensitivity(counted, { missing: "zero" })).readings;
    expect([ends.lowest.result, ends.highest.result]).toEqual([
      { kind: "unavailable", reason: "no-ends" },
      { kind: "unavailable", reason: "no-ends" },
    ]);
    const alone = [{ task: "a", value: null, exclusion: "infrastructure" as const }];
    expect(
      expectComputed(computeSensitivity(alone, { missing: "zero" })).readings["without-infrastructure"],
    ).toEqual({ result: { kind: "unavailable", reason: "no-values" }, nMoved: 1 });
  });
});

describe("the same tasks run again", () => {
  const list = (n: number, counts: readonly number[]) =>
    counts.map((c, index) => ({ task: String(index), n, c }));

  test("at k = 1 it is the interval of the mean that SciPy gave", () => {
    const groups = reference.groups.filter(({ tasks }) =>
      tasks.flat().every((value) => value === 0 || value === 1),
    );
    expect(groups).toHaveLength(30);
    for (const { tasks, low, high, df } of groups) {
      const counts = tasks.map((values, index) => ({
        task: String(index),
        n: values.length,
        c: values.filter((value) => value === 1).length,
      }));
      const [first] = expectComputed(computeFixedTaskCurve(counts)).points;
      for (const curve of [first?.passAtK, first?.passHatK]) {
        const bounds = expectComputed(curve?.bounds ?? { kind: "unavailable" as const });
        expectClose(bounds.df, df, "df");
        expect(bounds.low).toBeCloseTo(Math.max(0, low), 10);
        expect(bounds.high).toBeCloseTo(Math.min(1, high), 10);
      }
    }
  });

  test("over all outcomes of n attempts the squared error is, on average, the true variance", () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
    for (const [n, k] of [
      [4, 2],
      [6, 3],
      [10, 2],
      [9, 4],
    ] as const) {
      for (const rate of [0.1, 0.5, 0.85]) {
        let [mean, square, estimate] = [0, 0, 0];
        for (let c = 0; c <= n; c++) {
          const chance = choose(n, c) * rate ** c * (1 - rate) ** (n - c);
          const point = expectComputed(
            computeFixedTaskCurve(list(n, new Array<number>(12).fill(c))),
          ).points.find((one) => one.k === k);
          mean += chance * (point?.passHatK.value ?? 0);
          square += chance * (point?.passHatK.value ?? 0) ** 2;
          const { bounds } = point?.passHatK ?? { bounds: { kind: "unavailable" as const } };
          estimate += chance * (bounds.kind === "computed" ? 12 * bounds.standardError ** 2 : 0);
        }
        expectClose(mean, rate ** k, "pass^k");
        expectClose(estimate, square - mean ** 2, "variance");
      }
    }
  });

  test("a band needs twice the attempts, and no width is made up", () => {
    const found = expectComputed(computeFixedTaskCurve(list(5, new Array<number>(12).fill(3))));
    expect(found).toMatchObject({ method: "within-task-t", estimand: "same-tasks", nTasks: 12 });
    expect(found.points.map(({ passAtK }) => passAtK.bounds.kind)).toEqual([
      "computed",
      "computed",
      "unavailable",
      "unavailable",
      "unavailable",
    ]);
    const few = expectComputed(computeFixedTaskCurve(list(5, [0, 1, 5, 3, 4])));
    expect(few.points.slice(0, 2).map(({ passHatK }) => passHatK.bounds)).toMatchObject([
      { kind: "computed" },
      { kind: "unavailable", reason: "too-few-attempts" },
    ]);
    const constant = expectComputed(computeFixedTaskCurve(list(4, [4, 0])));
    expect(constant.points[0]?.passAtK).toEqual({
      value: 0.5,
      bounds: { kind: "unavailable", reason: "no-variation" },
    });
    expect(computeFixedTaskCurve([])).toEqual({ kind: "unavailable", reason: "no-tasks" });
  });

  test("values are those of the other curve, and fails mirror passes", () => {
    const counts = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 2, maxLength: 15 });
    fc.assert(
      fc.property(counts, (given) => {
        const found = expectComputed(computeFixedTaskCurve(list(6, given)));
        const turned = expectComputed(
          computeFixedTaskCurve(
            list(
              6,
              given.map((c) => 6 - c),
            ),
          ),
        );
        const other = expectComputed(computePassCurve(list(6, given), { resamples: 2 }));
        found.points.forEach(({ passAtK, passHatK }, index) => {
          expect(passAtK.value).toBeCloseTo(other.points[index]?.passAtK.value ?? Number.NaN, 12);
          expect(passHatK.value).toBeCloseTo(other.points[index]?.passHatK.value ?? Number.NaN, 12);
          const mirrored = turned.points[index]?.passHatK.bounds;
          if (passAtK.bounds.kind === "unavailable" || mirrored?.kind !== "computed") return;
          expect(passAtK.bounds.low).toBeCloseTo(1 - mirrored.high, 12);
          expect(passAtK.bounds.low).toBeLessThanOrEqual(passAtK.value);
          expect(passAtK.bounds.high).toBeGreaterThanOrEqual(passAtK.value);
        });
      }),
    );
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
