import { expect, it } from "vitest";

import { computeFailRates } from "./task-items";

const trial = (task: string, tests: Readonly<Record<string, boolean | null>>) => ({
  task,
  tests: new Map(Object.entries(tests)),
});

it("counts a test over the trials of its own task in which it ran, the most failing first", () => {
  const rates = computeFailRates([
    trial("a", { builds: false, answers: true }),
    trial("a", { builds: false, answers: true }),
    trial("a", { builds: null, answers: false }),
    trial("a", { builds: true }),
    trial("b", { builds: true, never: null }),
  ]);
  expect(rates.map(({ task, test, rate, nMissing }) => [task, test, rate.count, rate.n, nMissing])).toEqual([
    ["b", "builds", 1, 1, 0],
    ["a", "answers", 2, 3, 1],
    ["a", "builds", 1, 3, 1],
  ]);
});

it("has an interval of some width where a test always or never fails", () => {
  const [rate] = computeFailRates(Array.from({ length: 5 }, () => trial("a", { builds: false })));
  // statsmodels.stats.proportion.proportion_confint(0, 5, method="wilson")
  expect(rate?.rate).toMatchObject({ rate: 0, low: 0, method: "wilson" });
  expect(rate?.rate.high).toBeCloseTo(0.43448246478317487, 12);
});

it("is empty without trials, and does not depend on their order", () => {
  expect(computeFailRates([])).toEqual([]);
  const trials = [trial("b", { x: true, y: false }), trial("a", { y: true }), trial("b", { y: true })];
  expect(computeFailRates(trials.toReversed())).toEqual(computeFailRates(trials));
});
