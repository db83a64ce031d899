import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type MeanInterval, computeMeanInterval } from "./mean-interval";
import { computePairedComparison } from "./paired-comparison";
import { computeClopperPearsonInterval } from "./rate-interval";
import type { TaskValues } from "./task-values";

function nameTasks(tasks: readonly (readonly (number | null)[])[]): TaskValues[] {
  return tasks.map((values, index) => ({ task: `task-${String(index)}`, values }));
}

function computeOrFail(
  tasks: readonly (readonly (number | null)[])[],
  missing: "zero" | "exclude" = "zero",
): MeanInterval {
  const result = computeMeanInterval(nameTasks(tasks), { missing });
  if (result.kind === "unavailable") throw new Error(result.reason);
  return result;
}

describe("groups on which a standard error would be 0", () => {
  test("all 0 over 24 tasks leaves one in twenty samples to chance", () => {
    const { mean, bounds } = computeOrFail(new Array<number[]>(24).fill([0, 0, 0]));
    if (bounds.kind === "unavailable") throw new Error("no bounds");
    expect(mean).toBe(0);
    expect(bounds.low).toBe(0);
    expect((1 - bounds.high) ** 24).toBeCloseTo(0.05, 12);
    expect(bounds).toMatchObject({ method: "one-sided", estimand: "new-tasks", standardError: null });
  });

  test("all 1 mirrors all 0", () => {
    const { bounds } = computeOrFail(new Array<number[]>(24).fill([1]));
    if (bounds.kind === "unavailable") throw new Error("no bounds");
    expect(bounds.high).toBe(1);
    expect(bounds.low ** 24).toBeCloseTo(0.05, 12);
  });

  test("one task speaks about its own reruns only", () => {
    const { bounds, designEffect } = computeOrFail([[0, 0, 1, 1, 1]]);
    expect(bounds).toMatchObject({ kind: "computed", method: "clopper-pearson", estimand: "same-tasks" });
    expect(designEffect).toBeNull();
    expect(computeOrFail([[0.2, 0.4, 0.9]]).bounds).toMatchObject({
      method: "trial-t",
      estimand: "same-tasks",
      df: 2,
    });
    expect(computeOrFail([[1, 1]]).bounds).toMatchObject({ method: "one-sided", estimand: "same-tasks" });
  });

  test("tasks that all agree on a half get an exact interval with tasks as cases", () => {
    const { bounds } = computeOrFail([
      [0, 1],
      [1, 0],
      [0, 1],
      [1, 0],
    ]);
    const exact = computeClopperPearsonInterval(2, 4);
    if (exact.kind === "unavailable") throw new Error("no interval");
    expect(bounds).toMatchObject({ method: "clopper-pearson", low: exact.low, high: exact.high });
  });

  test("an infinite reward has no mean, and no NaN comes out", () => {
    const infinite = nameTasks([[1], [Infinity], [0]]);
    expect(computeMeanInterval(infinite, { missing: "zero" })).toEqual({
      kind: "unavailable",
      reason: "not-finite",
    });
    expect(computePairedComparison(infinite, infinite, { missing: "zero" })).toEqual({
      kind: "unavailable",
      reason: "not-finite",
    });
  });

  test("where no bound is known the reason is given and the mean stays", () => {
    expect(computeOrFail([[7], [7], [7]])).toMatchObject({
      mean: 7,
      bounds: { kind: "unavailable", reason: "no-variation" },
    });
    expect(computeOrFail([[0.4]]).bounds).toEqual({ kind: "unavailable", reason: "one-value" });
    expect(computeMeanInterval([], { missing: "zero" })).toEqual({ kind: "unavailable", reason: "no-tasks" });
    expect(computeMeanInterval(nameTasks([[null], []]), { missing: "exclude" })).toEqual({
      kind: "unavailable",
      reason: "no-values",
    });
  });
});

describe("missing values", () => {
  const tasks = [[1, null], [0, 1], [null]];

  test("count 0 under `zero`", () => {
    expect(computeOrFail(tasks, "zero")).toMatchObject({ mean: 2 / 5, n: 5, nTasks: 3, nMissing: 2 });
  });

  test("are left out under `exclude`, with the task that has nothing else", () => {
    const result = computeOrFail(tasks, "exclude");
    expect(result).toMatchObject({ mean: 2 / 3, n: 3, nTasks: 2, nMissing: 2, missing: "exclude" });
    expect(result.macroMean).toBe(0.75);
  });
});

const cell = fc.double({ min: 0, max: 1, noNaN: true });

describe("laws", () => {
  test("with equal attempts both weightings agree", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 30 }), (tasks) => {
        const { mean, macroMean, bounds, macroBounds } = computeOrFail(tasks);
        expect(Math.abs(mean - macroMean)).toBeLessThan(1e-12);
        if (bounds.kind !== "computed" || macroBounds.kind !== "computed") return;
        expect(Math.abs(bounds.low - macroBounds.low)).toBeLessThan(1e-9);
        expect(Math.abs(bounds.high - macroBounds.high)).toBeLessThan(1e-9);
      }),
      // Its squares are too small for a number.
      {
        examples: [
          [
            [
              [0, 0, 3.1434555694052576e-162],
              [0, 0, 0],
            ],
          ],
        ],
      },
    );
  });

  test("bounds hold the mean, stay in 0 to 1 and have a width", () => {
    const tasks = fc.array(fc.array(fc.constantFrom(0, 1, 0.5), { minLength: 1, maxLength: 5 }), {
      minLength: 2,
      maxLength: 30,
    });
    fc.assert(
      fc.property(tasks, (values) => {
        const { mean, bounds } = computeOrFail(values);
        if (bounds.kind !== "computed") throw new Error("no bounds");
        expect(bounds.low).toBeLessThanOrEqual(mean + 1e-12);
        expect(bounds.high).toBeGreaterThanOrEqual(mean - 1e-12);
        expect(bounds.low).toBeGreaterThanOrEqual(0);
        expect(bounds.high).toBeLessThanOrEqual(1);
        expect(bounds.high - bounds.low).toBeGreaterThan(1e-6);
      }),
    );
  });
});
