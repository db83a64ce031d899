import { expect, it } from "vitest";

import { readPair } from "./sensitivity";
import type { ComparedTrial } from "./trials";

const LIMIT = "timeout";
const REFUSED = "infrastructure";

/** One attempt at each task: its reward, null for none, and what leaves it out. */
function side(label: string, attempts: readonly (readonly [number | null, ComparedTrial["exclusion"]])[]) {
  const trials = attempts.map(([reward, exclusion], at) => ({
    taskName: `task-${String(at)}`,
    state: "finished",
    exclusion,
    counts: true,
    rewards: new Map(reward === null ? [] : [["reward", reward]]),
  })) as unknown as ComparedTrial[]; // Only these are looked at.
  return { label, trials };
}

it("gives for each reading the excluded trials of both groups, and the difference without them", () => {
  const nine = Array.from({ length: 9 }, () => [1, null] as const);
  // Verified after its time was up, and never verified.
  const slow = side("slow", [...nine, [0, LIMIT], [0, LIMIT], [null, REFUSED]]);
  const quick = side("quick", [...nine, [1, null], [1, LIMIT], [1, null]]);
  const read = (missing: "zero" | "exclude") =>
    readPair([slow, quick], "reward", { missing }).map(({ name, nMoved, comparison }) => [
      name,
      nMoved,
      comparison.kind === "computed" ? comparison.difference : comparison.reason,
    ]);
  expect(read("zero")).toEqual([
    ["without-infrastructure", 1, expect.closeTo(-2 / 11, 12)],
    // The pair is over the tasks that are left in both.
    ["without-timeouts", 3, expect.closeTo(-1 / 10, 12)],
    ["without-both", 4, 0],
    ["without-missing", 1, expect.closeTo(-2 / 11, 12)],
  ]);
  expect(read("exclude").map(([name]) => name)).not.toContain("without-missing");
  expect(readPair([side("a", nine), side("b", nine)], "reward", { missing: "zero" })).toEqual([]);

  // Readings that depend on how trials ended are absent while that is unknown.
  const pending = side("pending", [...nine, [0, "unknown"]]);
  expect(readPair([slow, pending], "reward", { missing: "zero" })).toMatchObject([
    { name: "without-infrastructure", nMoved: null, comparison: { reason: "ends-unknown" } },
    { name: "without-timeouts", nMoved: null, words: { difference: null } },
    { name: "without-both", nMoved: null },
    { name: "without-missing", nMoved: 1, comparison: { kind: "computed" } },
  ]);
});
