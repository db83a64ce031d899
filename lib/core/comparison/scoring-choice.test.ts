import { expect, it } from "vitest";

import type { ScoringChoice } from "@/lib/core/domain/scoring-choice";
import { applyMissingRule, computeMean } from "@/lib/core/stats";
import { buildException, buildTrial } from "@/lib/testing/job-bundle.fixture";

import { type ComparedRun, joinRuns } from "./run";
import { applyScoring, describeCounting, scoreUnderRules } from "./scoring-choice";
import { listTaskValues, pickCompared } from "./trials";

/** A pass, an invalid pass, a missing reward and a trial without a result, as a job of either version has them. */
const TRIALS = [
  buildTrial("pass", 1n),
  buildTrial("limited", 1n, { isRewardValid: false, exception: buildException("ApiRateLimitError") }),
  buildTrial("empty", null, { isRewardValid: false, exception: buildException("AgentTimeoutError") }),
  buildTrial("gone", null, { state: "missing", outcome: "missing", isRewardValid: false }),
  buildTrial("fail", 0n),
];

function score(own: "harbor-0.25" | "harbor-0.26", choice: ScoringChoice): number {
  const trials = TRIALS.map((trial) => ({
    ...pickCompared(trial, own),
    isSuspect: false,
    jobKey: "job",
    exclusion: null,
  }));
  const group = joinRuns([
    { trials, figures: { nFigures: 0, nExact: 0 }, settings: null, environment: new Map() },
  ]);
  const counted = applyScoring(group, choice);
  const [task] = applyMissingRule(listTaskValues(counted.trials, "reward"), "zero").tasks;
  return computeMean(task?.values ?? [Number.NaN]);
}

// Passes over operands, counted by hand.
it.each([
  ["recorded", 2 / 4, 1 / 2],
  ["harbor-0.25", 2 / 4, 2 / 4],
  ["harbor-0.26", 1 / 2, 1 / 2],
  ["all", 2 / 5, 2 / 5],
  ["graded", 2 / 3, 2 / 3],
] as const)("scores the same attempts under %s", (choice, before, since) => {
  expect(score("harbor-0.25", choice)).toBe(before);
  expect(score("harbor-0.26", choice)).toBe(since);
});

it.each(["harbor-0.25", "harbor-0.26"] as const)("a job of %s has the score of each rule", (own) => {
  const tallies = TRIALS.map(({ rewards, state, isRewardValid }) => ({
    ...{ taskName: "task", state, isRewardValid, count: 2 },
    hasReward: rewards !== null,
    reward: rewards === null ? null : Number(rewards.get("reward")),
  }));
  const scores = scoreUnderRules(tallies, own);
  expect(
    scores.map(({ rule, nCounted, result }) => [rule, nCounted, result.kind === "computed" && result.mean]),
  ).toEqual([
    ["harbor-0.25", 8, 2 / 4],
    ["harbor-0.26", 4, 1 / 2],
    ["all", 10, 2 / 5],
    ["graded", 6, 2 / 3],
  ]);
  expect(scores.filter(({ isRecorded }) => isRecorded).map(({ rule }) => rule)).toEqual([own]);
});

it("says that missing rewards count as 0 only where they do", () => {
  const group = (scoringRule: "harbor-0.25" | "harbor-0.26") => ({
    runs: [{ job: { scoringRule } as ComparedRun["job"] }], // Only the rule is read.
  });
  const zero = (rule: ScoringChoice, ...groups: ReturnType<typeof group>[]) =>
    describeCounting({ rule, missing: "zero" }, groups).includes("count as 0");
  expect(zero("recorded", group("harbor-0.25"))).toBe(true);
  expect(zero("recorded", group("harbor-0.26"))).toBe(false);
  expect(zero("recorded", group("harbor-0.25"), group("harbor-0.26"))).toBe(false);
  expect(zero("all", group("harbor-0.26"))).toBe(true);
  expect(zero("graded", group("harbor-0.25"))).toBe(false);
});
