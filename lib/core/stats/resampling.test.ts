import { describe, expect, test } from "vitest";

import {
  type ResampledInterval,
  computeExpandedTail,
  computePercentileLimits,
  computeResampledFigures,
  computeSortedQuantile,
} from "./bootstrap";
import { computeRatioDifference, computeRatioInterval, computeSkewedIntervals } from "./cost-and-time";
import { createRandomSource } from "./random";
import reference from "./reference/resampling.json";
import type { Unavailable } from "./unavailable";

const { resamples } = reference;
const METHODS = ["percentile", "bca"] as const;

function expectLimits(
  bounds: ResampledInterval | Unavailable,
  expected: readonly number[],
  label: string,
): void {
  if (bounds.kind === "unavailable") throw new Error(`${label}: ${bounds.reason}`);
  expect(Math.abs(bounds.low / (expected[0] ?? Number.NaN) - 1), `${label} low`).toBeLessThan(1e-10);
  expect(Math.abs(bounds.high / (expected[1] ?? Number.NaN) - 1), `${label} high`).toBeLessThan(1e-10);
}

test("ratios and their differences: the same draws give NumPy's percentiles and SciPy's BCa", () => {
  expect(reference.ratios).toHaveLength(12);
  for (const { seed, numerators, denominators, others, ratio, difference } of reference.ratios) {
    const pair = (values: readonly number[]) =>
      values.map((numerator, index) => ({
        // Drawn in the order of names.
        task: String(index).padStart(3, "0"),
        numerator,
        denominator: denominators[index] ?? null,
      }));
    for (const method of METHODS) {
      const options = { seed, resamples, method };
      const one = computeRatioInterval(pair(numerators), options);
      const both = computeRatioDifference(pair(numerators), pair(others), options);
      if (one.kind === "unavailable" || both.kind === "unavailable") throw new Error("no ratio");
      expect(one.ratio).toBeCloseTo(ratio.value, 12);
      expect(both.difference).toBeCloseTo(difference.value, 12);
      expectLimits(one.bounds, ratio[method], `${method} of a ratio`);
      expectLimits(both.bounds, difference[method], `${method} of a difference`);
    }
  }
});

test("mean, median and 90th percentile of tasks with unequal numbers of trials", () => {
  expect(reference.skewed).toHaveLength(12);
  for (const { seed, tasks, ...expected } of reference.skewed) {
    for (const method of METHODS) {
      const found = computeSkewedIntervals(
        tasks.map((values, index) => ({ task: String(index), values })),
        { seed, resamples, method },
      );
      if (found.kind === "unavailable") throw new Error(found.reason);
      for (const figure of ["mean", "median", "p90"] as const) {
        expect(found[figure].value).toBeCloseTo(expected[figure].value, 12);
        expectLimits(found[figure].bounds, expected[figure][method], `${method} of ${figure}`);
      }
    }
  }
});

test("bands of curves, where equal tasks are added up together, are those of drawing task by task", () => {
  for (const { seed, denominators, others } of reference.ratios) {
    // Few distinct values in the first column, each with a gap or another value in the second.
    const rows = denominators.map((value, index) => [
      value,
      index % 2 === 0 ? Number.NaN : (others[index] ?? 0),
    ]);
    const limits = computePercentileLimits(
      rows.map((row) => row.map((cell) => (Number.isNaN(cell) ? null : cell))),
      { seed, level: 0.95, resamples },
    );
    const random = createRandomSource(seed);
    const draws = Array.from({ length: resamples }, () =>
      rows.map(() => rows[Math.floor((random.nextUint32() * rows.length) / 2 ** 32)] ?? []),
    );
    for (const column of [0, 1]) {
      const keep = (cells: readonly (readonly number[])[]) =>
        cells.map((row) => row[column] ?? Number.NaN).filter((value) => !Number.isNaN(value));
      const means = draws.map(keep).filter((values) => values.length > 0);
      const sorted = means.map((values) => values.reduce((a, b) => a + b, 0) / values.length);
      sorted.sort((a, b) => a - b);
      const tail = computeExpandedTail(keep(rows).length, 0.95);
      const [found, expected] = [
        limits[column],
        [tail, 1 - tail].map((p) => computeSortedQuantile(sorted, p)),
      ];
      expect(found?.low).toBeCloseTo(expected[0] ?? Number.NaN, 10);
      expect(found?.high).toBeCloseTo(expected[1] ?? Number.NaN, 10);
    }
  }
});

describe("what is unknown", () => {
  test("a cost per solve needs a solve, and an unknown cost is not 0", () => {
    const tasks = [
      { task: "a", numerator: 2, denominator: 1 },
      { task: "b", numerator: null, denominator: 3 },
      { task: "c", numerator: 4, denominator: 2 },
    ];
    expect(computeRatioInterval(tasks)).toMatchObject({ ratio: 2, nTasks: 2, nUnknown: 1 });
    expect(computeRatioInterval([{ task: "a", numerator: 2, denominator: 0 }])).toEqual({
      kind: "unavailable",
      reason: "undefined-figure",
    });
    expect(computeRatioInterval([{ task: "a", numerator: null, denominator: 1 }])).toEqual({
      kind: "unavailable",
      reason: "no-known-values",
    });
    expect(computeRatioDifference(tasks, [{ task: "x", numerator: 1, denominator: 1 }])).toEqual({
      kind: "unavailable",
      reason: "no-common-tasks",
    });
    expect(computeRatioDifference(tasks, tasks)).toMatchObject({ difference: 0, nTasks: 2, nUnknown: 1 });
  });

  test("with a solve on one task of three, a third of the resamples have none: no interval", () => {
    const tasks = [0, 0, 1].map((denominator, index) => ({ task: String(index), numerator: 1, denominator }));
    expect(computeRatioInterval(tasks)).toMatchObject({
      ratio: 3,
      bounds: { kind: "unavailable", reason: "undefined-figure" },
    });
  });

  test("one row shows no variation, equal rows neither", () => {
    const figures = (nRows: number) =>
      computeResampledFigures({
        nRows,
        nFigures: 1,
        compute: (_, out) => {
          out[0] = 1;
        },
      });
    expect(figures(1)).toEqual([{ value: 1, bounds: { kind: "unavailable", reason: "one-value" } }]);
    expect(figures(5)).toEqual([{ value: 1, bounds: { kind: "unavailable", reason: "no-variation" } }]);
    expect(computeSkewedIntervals([{ task: "a", values: [null] }])).toEqual({
      kind: "unavailable",
      reason: "no-known-values",
    });
  });
});

test("the same seed gives the same limits, and every result says how it was drawn", () => {
  const tasks = [3, 1, 4, 1, 5, 9, 2, 6].map((value, index) => ({
    task: String(index),
    values: [value, null],
  }));
  const first = computeSkewedIntervals(tasks, { seed: 5, method: "bca" });
  expect(computeSkewedIntervals(tasks, { seed: 5, method: "bca" })).toEqual(first);
  expect(first).toMatchObject({
    n: 8,
    nTasks: 8,
    nUnknown: 8,
    mean: {
      bounds: {
        method: "bca",
        seed: 5,
        generator: "xoshiro128**",
        resamples: 10_000,
        nRows: 8,
        estimand: "new-rows",
      },
    },
  });
  expect(computeSkewedIntervals(tasks, { seed: 6, method: "bca" })).not.toEqual(first);
});
