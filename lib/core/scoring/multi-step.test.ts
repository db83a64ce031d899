import { describe, expect, it } from "vitest";

import { aggregateStepRewards, type StepResult } from "./multi-step";
import type { PyNumber } from "./python/value";

const step = (...entries: readonly [string, PyNumber][]): StepResult => ({ rewards: new Map(entries) });

describe("aggregateStepRewards", () => {
  it("averages per key over the steps that have a result", () => {
    const steps = [step(["b", 1n], ["a", 1n]), null, { rewards: null }, step(["b", 0.5])];
    const result = aggregateStepRewards(steps, "mean");
    expect(result?.rewards && [...result.rewards]).toEqual([
      ["a", 1 / 3],
      ["b", 0.5],
    ]);
  });

  it("gives nothing without a valid step or a key", () => {
    expect(aggregateStepRewards([], "mean")).toBeNull();
    expect(aggregateStepRewards([null], "mean")).toBeNull();
    expect(aggregateStepRewards([{ rewards: null }, step()], "mean")).toBeNull();
  });

  it("takes the last step as it is", () => {
    const last = step(["a", true]);
    expect(aggregateStepRewards([step(["a", 0.5]), last], "final")).toBe(last);
    expect(aggregateStepRewards([last, null], "final")).toBeNull();
    expect(aggregateStepRewards([], "final")).toBeNull();
  });

  it("sums as the named Python does", () => {
    const steps = [0.1, 0.2, 0.3].map((value) => step(["a", value]));
    expect(aggregateStepRewards(steps, "mean", "sequential")).toEqual(step(["a", 0.20000000000000004]));
  });
});
