import { expect, test } from "vitest";

import { computeDimensionSummary } from "@/lib/core/stats";

import { type DistributionInput, findTallest, prepareDistribution } from "./distribution-plot";

function summarise(values: readonly number[]): DistributionInput {
  const summary = computeDimensionSummary([{ task: "a", values }]);
  if (summary.kind === "unavailable") throw new Error(summary.reason);
  const { interval, counts, ends } = summary;
  const bounds = interval.bounds.kind === "computed" ? interval.bounds : null;
  return { mean: interval.mean, n: interval.n, bounds, counts, ends };
}

test("agents share one scale: a bar is as high as its part of the trials, against the tallest of them all", () => {
  const even = summarise([0, 0.05, 0.5, 1]);
  const full = summarise([1, 1]);
  const tallest = findTallest([even, null, full]);
  expect(tallest).toBe(1);
  const { bars } = prepareDistribution(even, tallest);
  expect(bars.map(({ from, to, height, endHeight, count }) => [from, to, height, endHeight, count])).toEqual([
    // Half of the trials, one of them at exactly 0.
    [0, 0.1, 0.5, 0.25, 2],
    [0.5, 0.6, 0.25, 0, 1],
    [0.9, 1, 0.25, 0.25, 1],
  ]);
  expect(prepareDistribution(full, tallest).bars).toMatchObject([
    { height: 1, isClosed: true, range: "0.9 to 1" },
  ]);
});

test("what is drawn is said too, with every bar that holds a trial", () => {
  const { summary } = prepareDistribution(summarise([0.25, 0.25, 0.75, 0.75]), 0.5);
  expect(summary).toBe(
    "Mean 0.500, 95 % interval 0.041 to 0.959. Trials by share, 0.2 to below 0.3: 2, 0.7 to below 0.8: 2",
  );
  expect(prepareDistribution(summarise([0.25]), 1).summary).toContain("no interval");
});
