import { expect, test } from "vitest";

import { computeCorrelations, computeDimensionSummary } from "./dimensions";
import { computeBetaQuantile, computeNormalQuantile, computeTQuantile } from "./distributions";
import { expectClose } from "./expect-close.fixture";
import { computeMeanInterval } from "./mean-interval";
import { computePairedComparison } from "./paired-comparison";
import { computeClopperPearsonInterval, computeWilsonInterval } from "./rate-interval";
import reference from "./reference/reference.json";

function nameTasks(tasks: readonly (readonly number[])[]): { task: string; values: readonly number[] }[] {
  return tasks.map((values, index) => ({ task: String(index), values }));
}

test("quantiles of t", () => {
  expect(reference.t.length).toBeGreaterThan(200);
  for (const { p, df, value } of reference.t) expectClose(computeTQuantile(p, df), value, `t(${p}; ${df})`);
  expect(computeTQuantile(0.5, 4)).toBe(0);
});

test("quantiles of beta", () => {
  expect(reference.beta.length).toBeGreaterThan(100);
  for (const { p, a, b, value } of reference.beta) {
    expectClose(computeBetaQuantile(p, a, b), value, `beta(${p}; ${a}, ${b})`);
  }
  expect(computeBetaQuantile(0, 2, 3)).toBe(0);
  expect(computeBetaQuantile(1, 2, 3)).toBe(1);
});

test("quantiles of the normal", () => {
  for (const { p, value } of reference.normal) expectClose(computeNormalQuantile(p), value, `normal(${p})`);
});

test("Wilson's and Clopper and Pearson's intervals", () => {
  for (const { count, n, ...expected } of reference.rates) {
    const wilson = computeWilsonInterval(count, n);
    const exact = computeClopperPearsonInterval(count, n);
    if (wilson.kind === "unavailable" || exact.kind === "unavailable") throw new Error("no interval");
    expectClose(wilson.low, expected.wilson.low, "wilson low");
    expectClose(wilson.high, expected.wilson.high, "wilson high");
    expectClose(exact.low, expected.exact.low, "exact low");
    expectClose(exact.high, expected.exact.high, "exact high");
  }
});

test("clustered standard error and t interval, by trial and by task", () => {
  expect(reference.groups).toHaveLength(4);
  const methods: string[] = [];
  for (const group of reference.groups) {
    const result = computeMeanInterval(nameTasks(group.tasks), { missing: "zero" });
    if (result.kind === "unavailable") throw new Error(result.reason);
    const { bounds, macroBounds } = result;
    if (bounds.kind === "unavailable" || macroBounds.kind === "unavailable") throw new Error("no bounds");
    expectClose(result.mean, group.mean, "mean");
    expectClose(bounds.standardError, group.standardError, "standard error");
    // Few passes or failures have Wilson's interval, whose limits are checked apart.
    if (bounds.method === "cluster-t") {
      expectClose(bounds.halfWidth, (group.high - group.low) / 2, "half width");
      expectClose(bounds.low, Math.max(0, group.low), "low");
      expectClose(bounds.high, Math.min(1, group.high), "high");
      expectClose(macroBounds.low, Math.max(0, group.macroLow), "low by task");
      expectClose(macroBounds.high, Math.min(1, group.macroHigh), "high by task");
    }
    methods.push(bounds.method);
  }
  expect(methods).toEqual(["cluster-wilson", "cluster-wilson", "cluster-t", "cluster-t"]);
});

test("interval, sign-flip p and correlation of pairs", () => {
  expect(reference.pairs).toHaveLength(3);
  for (const pair of reference.pairs) {
    const first = nameTasks(pair.first.map((value) => [value]));
    const second = nameTasks(pair.second.map((value) => [value]));
    const result = computePairedComparison(first, second, { missing: "zero" });
    if (result.kind === "unavailable" || result.bounds.kind === "unavailable") throw new Error("no interval");
    expectClose(result.bounds.low, pair.low, "low");
    expectClose(result.bounds.high, pair.high, "high");
    expectClose(result.correlation, pair.correlation, "correlation");
    expectClose(result.bounds.signFlip.p, pair.p, "p");
    expect(result.bounds.signFlip).toMatchObject({ method: "exact", seed: null });
  }
});

test("correlations of the rows that state both, and histograms", () => {
  const { columns, pairs, counts } = reference.dimensions;
  const found = computeCorrelations(columns).pairs;
  expect(found.map(({ first, second, n }) => [first, second, n])).toEqual(
    pairs.map(({ first, second, n }) => [first, second, n]),
  );
  for (const [index, { r }] of pairs.entries()) expectClose(found[index]?.r ?? null, r, "r");
  for (const [index, values] of columns.entries()) {
    const summary = computeDimensionSummary([{ task: "a", values }]);
    expect(summary.kind === "computed" ? summary.counts : null).toEqual(counts[index]);
  }
});
