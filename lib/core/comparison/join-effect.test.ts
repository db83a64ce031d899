import { expect, it } from "vitest";

import { describeJoin } from "./join-effect";
import { joinRuns } from "./run";
import type { ComparedTrial, GroupContent } from "./trials";

/** A run of one attempt at each task. */
function run(job: string, passes: readonly boolean[]): GroupContent {
  const trials = passes.map((isPassed, at) => ({
    key: `${job}-${String(at)}`,
    jobKey: job,
    taskName: `task-${String(at)}`,
    attempt: 1,
    state: "finished",
    rollout: `${job}-${String(at)}`,
    counts: true,
    rewards: new Map([["reward", isPassed ? 1 : 0]]),
  })) as unknown as ComparedTrial[]; // Only these are looked at.
  return { trials, figures: { nFigures: 0, nExact: 0 }, settings: null, environment: new Map() };
}

it("says what three runs of one attempt tell together that none tells alone", () => {
  // Ten tasks: six always pass, one never, three at times.
  const [a, b, c] = [0, 1, 2].map((nth) =>
    run(
      `run-${String(nth)}`,
      Array.from({ length: 10 }, (_, task) => task < 6 || (task < 9 && task % 3 === nth)),
    ),
  );
  if (a === undefined || b === undefined || c === undefined) throw new Error("three runs");
  const other = {
    label: "other",
    trials: run(
      "other",
      Array.from({ length: 10 }, (_, at) => at < 2),
    ).trials,
  };
  const rows = new Map(
    describeJoin(joinRuns([a, b, c]), "reward", other).map(({ name, each, joined }) => [
      name,
      [each, joined],
    ]),
  );
  expect(rows.get("Attempts per task")).toEqual(["1", "3"]);
  expect(rows.get("Trials")).toEqual(["10", "30"]);
  // (6 x 3 + 3) / 30; of two attempts at a task that passes once in three, 1 - C(2,2) / C(3,2); of all three every one.
  expect(rows.get("pass@1, 2, 3")).toEqual(["first only", "0.700  0.800  0.900"]);
  expect(rows.get("pass^1, 2, 3")).toEqual(["first only", "0.700  0.600  0.600"]);
  expect(rows.get("Flaky tasks")).toEqual(["unknown", "3 of 10"]);
  expect(rows.get("Detectable difference")?.[1]).toMatch(/^\d+\.\d points$/u);
  const elsewhere = { label: "other", trials: [] };
  expect(describeJoin(joinRuns([a, b]), "reward", elsewhere).map(({ name }) => name)).not.toContainEqual(
    expect.stringContaining("Detectable"),
  );
});
