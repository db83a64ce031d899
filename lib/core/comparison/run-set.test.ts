import { expect, it } from "vitest";

import { joinRuns, nameRuns, suggestRunSets } from "./run";
import type { ComparedTrial, GroupContent } from "./trials";

/** A run with a trial a rollout, all at one task. */
function run(job: string, rollouts: readonly (string | null)[]): GroupContent {
  const trials = rollouts.map((rollout, at) => ({
    key: `${job}-${String(at)}`,
    jobKey: job,
    taskName: "task",
    attempt: at + 1,
    rollout,
  })) as unknown as ComparedTrial[]; // Only these are looked at.
  return { trials, figures: { nFigures: 2, nExact: 1 }, settings: new Map(), environment: new Map() };
}

it("numbers the attempts of all runs through and adds up their figures", () => {
  const joined = joinRuns([run("a", ["1", "2"]), run("b", ["3"]), run("c", [null, null])]);
  expect(joined.trials.map(({ key, attempt }) => [key, attempt])).toEqual([
    ["a-0", 1],
    ["a-1", 2],
    ["b-0", 3],
    ["c-0", 4],
    ["c-1", 5],
  ]);
  expect(joined.figures).toEqual({ nFigures: 6, nExact: 3 });
});

it("counts a rollout once, by the first run that has it, and says how many it left out", () => {
  const joined = joinRuns([run("a", ["1", "2"]), run("copy", ["2", "1"]), run("regrade", ["1", "9"])]);
  expect(joined.trials.map(({ key }) => key)).toEqual(["a-0", "a-1", "regrade-1"]);
  expect(joined.contents.map(({ nKnown }) => nKnown)).toEqual([0, 2, 1]);
});

it("leaves a single run as it is, though it grades a rollout twice itself", () => {
  const only = run("a", ["1", "1"]);
  expect(joinRuns([only]).trials).toBe(only.trials);
});

it("calls a set by what the names of its jobs begin with", () => {
  expect(nameRuns(["baseline", "baseline-2", "baseline-3"])).toBe("baseline ×3");
  expect(nameRuns(["final-r45-1", "final-r45-2"])).toBe("final-r45 ×2");
  expect(nameRuns(["spring", "autumn"])).toBe("spring and others ×2");
  expect(nameRuns(["spring"])).toBe("spring");
  expect(nameRuns(["eval-2026-02-09__01-47-04", "eval-2026-02-09__01-47-08"])).toBe("eval ×2");
  expect(nameRuns(["2026-02-09__01-47-04", "2026-02-10"])).toBe("2026-02-09__01-47-04 and others ×2");
});

it("takes for repeats what is of one kind and differs by a number at the end", () => {
  const runs = ["baseline", "final-1", "baseline-2", "fix", "final_run2", "baseline (3)", "7", "8"].map(
    (jobName) => ({ ref: jobName, jobName, kind: "same" }),
  );
  expect(suggestRunSets(runs)).toEqual([
    ["baseline", "baseline-2", "baseline (3)"],
    ["final-1", "final_run2"],
  ]);
  // Seven and eight are names, and no word is cut out of another.
  expect(
    suggestRunSets(["overrun5", "over"].map((jobName) => ({ ref: jobName, jobName, kind: "same" }))),
  ).toEqual([]);
  // A time is no number of a repeat.
  const times = ["2026-02-09__01-47-04", "2026-02-09__01-47-08", "eval-20260209-014704", "eval-20260210"];
  expect(suggestRunSets(times.map((jobName) => ({ ref: jobName, jobName, kind: "same" })))).toEqual([]);
  const other = { ref: "other", jobName: "fix-2", kind: "another agent" };
  expect(suggestRunSets([...runs, other])).toHaveLength(2);
});
