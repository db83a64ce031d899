import { expect, test } from "vitest";

import { expectComputed } from "./expect-close.fixture";
import {
  computeAgreement,
  computeMeanInterval,
  computePairedComparison,
  computePassCurve,
  computeWilsonInterval,
  describeBasis,
} from "./index";

const tasks = [
  { task: "a", values: [1, 0.5, null] },
  { task: "b", values: [0, 0.25, 0] },
  { task: "c", values: [0.75, 1, 1] },
];

test("a mean says level, method, estimand, counts and what became of missing values", () => {
  const mean = expectComputed(computeMeanInterval(tasks, { missing: "zero" }));
  expect(describeBasis(mean, expectComputed(mean.bounds))).toMatch(
    /^95 %, t interval, tasks as clusters, for new tasks like these; 9 values of 3 tasks \(2 df\), 1 missing count 0, design effect \d\.\d\d$/,
  );
  const excluded = expectComputed(computeMeanInterval(tasks, { missing: "exclude" }));
  expect(describeBasis(excluded)).toContain("8 values of 3 tasks, 1 missing excluded");
});

test("a single task is named as such, and nothing is said that a figure does not say", () => {
  const one = expectComputed(computeMeanInterval([{ task: "a", values: [0.2, 0.4] }], { missing: "zero" }));
  expect(describeBasis(one, expectComputed(one.bounds))).toBe(
    "95 %, t interval over the trials of the only task, for the same tasks run again; 2 values of 1 task (1 df)",
  );
  expect(describeBasis(expectComputed(computeWilsonInterval(3, 1200)))).toBe(
    "95 %, Wilson, for new cases like these; 1,200 values",
  );
  expect(describeBasis()).toBe("");
});

test("what was drawn says how: resamples, generator and seed", () => {
  const counts = Array.from({ length: 30 }, (_, i) => ({ task: String(i), n: 2, c: i % 3 }));
  expect(describeBasis(expectComputed(computePassCurve(counts, { seed: 7, resamples: 2000 })))).toBe(
    "95 %, for new tasks like these; 30 tasks; 2,000 resamples, xoshiro128** seed 7",
  );
  const items = counts.map(({ task, c }) => ({
    task,
    labels: [c > 0 ? "pass" : "fail", c > 1 ? "pass" : "fail"],
  }));
  const agreement = expectComputed(computeAgreement(items, { categories: ["pass", "fail"], seed: 3 }));
  const kappa = expectComputed(agreement.kappa);
  expect(describeBasis(expectComputed(kappa.bounds))).toContain(
    "95 %, bootstrap, BCa with expanded tails, for new cases like these; 10,000 resamples, xoshiro128** seed 3",
  );
});

test("a paired difference", () => {
  const pair = expectComputed(computePairedComparison(tasks, tasks.slice().reverse(), { missing: "zero" }));
  expect(describeBasis(pair, expectComputed(pair.bounds))).toBe(
    "95 %, exact bound, as all tasks agree, for new tasks like these; 3 tasks",
  );
});
