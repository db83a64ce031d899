import { describe, expect, test } from "vitest";

import { expectComputed } from "./expect-close.fixture";
import {
  computeCorrelations,
  computeMeanErrors,
  computeMeanInterval,
  computePairedComparison,
  computeParetoFrontier,
  computePassCurve,
  computeRatioDifference,
  computeRatioInterval,
  computeReliability,
} from "./index";

// Values that differ in the last bits only are equal, and values out of range are refused.

const name = (values: readonly (readonly number[])[]) =>
  values.map((own, index) => ({ task: `t${String(index).padStart(3, "0")}`, values: own }));
const noVariation = { kind: "unavailable", reason: "no-variation" };

describe("rounding is no variation", () => {
  test("tasks of one rate over different numbers of attempts have the exact band of the mean, none of their last bits", () => {
    const tasks = [8, 4, 6].map((n) => ({ task: String(n), n, c: n / 2 }));
    for (const { passAtK, passHatK } of expectComputed(computePassCurve(tasks)).points.slice(0, 1)) {
      expect(passAtK.band).toMatchObject({ method: "clopper-pearson" });
      expect(passHatK.band).toEqual(passAtK.band);
    }
  });

  test("a ratio that both groups share differs by nothing", () => {
    const side = (times: number) =>
      Array.from({ length: 8 }, (_, i) => ({ task: String(i), numerator: 0.1 * times, denominator: times }));
    expect(computeRatioDifference(side(1), side(3))).toMatchObject({ bounds: noVariation });
  });

  test("means of tasks that are 0 but for rounding, and effective trials beyond counting", () => {
    const cancelling = name([
      [0.1, 0.2, -0.3],
      [0.1, -0.3, 0.2],
      [0.3, -0.1, -0.2],
    ]);
    expect(computeMeanInterval(cancelling, { missing: "zero" })).toMatchObject({ bounds: noVariation });
    const equal = name([
      [0.1, 0.7],
      [0.7, 0.1],
      [0.7, 0.1],
    ]);
    expect(computeMeanErrors(equal, { missing: "zero" })).toMatchObject({
      designEffect: 0,
      effectiveN: null,
    });
    expect(computeMeanErrors(name([[0.1, 0.1], [0.1]]), { missing: "zero" })).toEqual(noVariation); // oxfmt-ignore
  });

  test("the variance between tasks is held at 0 without a width of 0", () => {
    const tasks = [5, 5, 4, 5, 4, 4, 4, 4].map((c, index) => ({ task: String(index), n: 5, c }));
    const { betweenTasks } = expectComputed(computeReliability(tasks));
    expect(betweenTasks).toMatchObject({ kind: "computed", value: 0 });
    const { bounds } = expectComputed(betweenTasks);
    if (bounds.kind === "computed") expect(bounds.high).toBeGreaterThan(1e-9);
  });

  test("small rewards are no ties", () => {
    const first = name([[3e-5], [2e-5], [2.5e-5], [4e-5]]);
    const second = name([[3.1e-5], [2.2e-5], [2.5e-5], [4.5e-5]]);
    const pair = expectComputed(computePairedComparison(first, second, { missing: "zero" }));
    expect(pair.correlation).toBeGreaterThan(0.9);
  });
});

describe("the ends of the range of numbers", () => {
  test("sums that overflow are refused, products of squares are not needed", () => {
    const notFinite = { kind: "unavailable", reason: "not-finite" };
    expect(computeMeanInterval(name([[1e308], [1e308]]), { missing: "zero" })).toEqual(notFinite);
    expect(computeMeanInterval(name([[1e154], [5e200]]), { missing: "zero" })).toEqual(notFinite);
    const huge = computePairedComparison(name([[1e308], [1e308]]), name([[0], [-1e308]]), {
      missing: "zero",
    });
    expect(huge).toEqual(notFinite);
    expect(computeCorrelations([[1e200, 2e200, 3e200], [1, 2, 3]]).pairs[0]?.r).toBeCloseTo(1, 12); // oxfmt-ignore
  });

  test("BCa gives way to percentiles beyond its pole", () => {
    const tasks = [1, 1.1, 1.2, 90].map((numerator, i) => ({ task: String(i), numerator, denominator: 1 }));
    const { ratio, bounds } = expectComputed(computeRatioInterval(tasks, { level: 0.999 }));
    expect(bounds).toMatchObject({ method: "percentile" });
    expect(expectComputed(bounds).high).toBeGreaterThan(ratio);
  });
});

test("a task may have more attempts than a call takes arguments", () => {
  const many = Array.from({ length: 200_000 }, (_, i) => (i % 3 === 0 ? 1 : 0));
  const found = expectComputed(computeMeanErrors(name([many, many.map((v) => 1 - v)]), { missing: "zero" }));
  expect(expectComputed(found.sameTasks).low).toBeLessThan(0.5);
  expect(found.macroMean).toBeCloseTo(0.5, 5);
});

test("a point of unknown cost is not lost beside a known one of its name", () => {
  const points = [
    { name: "a", cost: 1, value: 1 },
    { name: "a", cost: null, value: 1 },
  ];
  expect(computeParetoFrontier(points)).toMatchObject({ frontier: ["a"], unknown: ["a"] });
});
