import { expect, it } from "vitest";

import { computeMeanInterval } from "@/lib/core/stats";

import { computeCertainty, describeCertainty } from "./certainty";
import type { NamedRuns } from "./run";
import { summariseSet } from "./since-last";
import { computeSpending } from "./spending";
import { listTaskValues, type ComparedTrial } from "./trials";

interface Attempt {
  readonly task: string;
  readonly reward: number;
  readonly cost: number | null;
  readonly state?: ComparedTrial["state"];
  readonly counts?: boolean;
}

/** A group of one run; its agent's effort where its settings state one. */
function createGroup(
  label: string,
  attempts: readonly Attempt[],
  effort: string | null = null,
  model = "m1",
): NamedRuns {
  const trials = attempts.map(
    ({ task, reward, cost, state = "finished", counts = true }, at): ComparedTrial => ({
      key: `${label} ${String(at)}`,
      hasFolder: true,
      taskName: task,
      taskDigest: null,
      agentVersion: null,
      attempt: 1,
      state,
      outcome: reward === 1 ? "passed" : "failed",
      rewards: new Map([["reward", reward]]),
      counts: counts && state === "finished",
      isRewardValid: true,
      exceptionType: null,
      exclusion: null,
      tokens: { costUsd: cost },
      nTokens: cost === null ? null : cost * 1000,
      durationMs: null,
      isSuspect: false,
      jobKey: label,
      rollout: null,
    }),
  );
  const settings =
    effort === null
      ? null
      : new Map([
          ["kwargs.reasoning_effort", new Set([JSON.stringify(effort)])],
          ["kwargs.temperature", new Set(["0"])],
        ]);
  const figures = { nFigures: 0, nExact: 0 };
  const group = { key: label, agent: "a", model, provider: null, source: null };
  return {
    label,
    givenName: null,
    trials,
    figures,
    contents: [{ trials, figures, settings, environment: new Map(), counted: trials, nKnown: 0 }],
    runs: [
      {
        ref: label,
        path: "/jobs/a",
        job: {
          key: label,
          name: label,
          time: { startedAt: null, finishedAt: null },
          firstTrialStart: null,
          harborVersion: null,
          scoringRule: "harbor-0.25",
          maxRetries: null,
        },
        group,
        setups: null,
        recordedPassAtK: null,
      },
    ],
  };
}

const score = (group: NamedRuns) => ({
  certainty: { mean: computeMeanInterval(listTaskValues(group.trials, "reward"), { missing: "zero" }) },
});

const compute = (groups: readonly NamedRuns[], measure: "cost" | "tokens" | "time" = "cost") =>
  computeSpending(groups, groups.map(score), measure, {
    tasks: "common",
  });

const CHEAP = createGroup("cheap", [
  { task: "a", reward: 1, cost: 0.1 },
  { task: "b", reward: 0, cost: 0.3 },
]);
const DEAR = createGroup("dear", [
  { task: "a", reward: 1, cost: 1 },
  { task: "b", reward: 1, cost: 2 },
]);
const WASTEFUL = createGroup("wasteful", [
  { task: "a", reward: 0, cost: 0.5 },
  { task: "b", reward: 1, cost: 0.5 },
]);

it("knows which groups another one beats, and by whom", () => {
  const { groups } = compute([DEAR, WASTEFUL, CHEAP]);
  expect(groups.map(({ standing, beatenBy }) => [standing, beatenBy])).toEqual([
    ["frontier", null],
    ["dominated", 2],
    ["frontier", null],
  ]);
  const [dear] = groups;
  expect(dear?.perAttempt.kind === "computed" ? dear.perAttempt.ratio : null).toBeCloseTo(1.5, 12);
});

it("leaves unknown costs out and counts them: they are not 0", () => {
  const partly = createGroup("partly", [
    { task: "a", reward: 1, cost: 0.4 },
    { task: "a", reward: 1, cost: null },
    { task: "b", reward: 1, cost: null },
    { task: "b", reward: 1, cost: 0, state: "running" },
  ]);
  const silent = createGroup("silent", [{ task: "a", reward: 1, cost: null }]);
  const { groups } = compute([partly, silent]);
  expect(groups[0]?.perAttempt).toMatchObject({ kind: "computed", ratio: 0.4 });
  expect([groups[0]?.nKnown, groups[0]?.nUnknown]).toEqual([1, 1]);
  expect(groups[1]).toMatchObject({ standing: "unknown", nKnown: 0, nUnknown: 1 });
  expect(compute([CHEAP, DEAR], "time").groups.map(({ standing }) => standing)).toEqual([
    "unknown",
    "unknown",
  ]);
});

it("counts the tasks that all groups share alone, as the score does", () => {
  const more = createGroup("more", [
    { task: "a", reward: 1, cost: 1 },
    { task: "z", reward: 1, cost: 99 },
  ]);
  expect(compute([more, CHEAP]).groups[0]?.perAttempt).toMatchObject({ ratio: 1 });
  const uncounted = createGroup("uncounted", [
    { task: "a", reward: 1, cost: 1 },
    { task: "b", reward: 1, cost: 99, counts: false },
  ]);
  expect(compute([uncounted, CHEAP]).groups.map(({ nKnown }) => nKnown)).toEqual([1, 1]);
  expect(compute([CHEAP, uncounted]).groups[1]?.perAttempt).toMatchObject({ ratio: 1 });
});

it("connects groups that differ in effort alone, from the least to the most", () => {
  const attempts = [{ task: "a", reward: 1, cost: 1 }];
  const of = (effort: string, model?: string) =>
    createGroup(`${effort} ${model ?? ""}`, attempts, effort, model);
  expect(compute([of("high"), of("low"), of("medium"), of("low", "m2"), CHEAP]).sweeps).toEqual([[1, 2, 0]]);
  expect(compute([of("high"), of("high")]).sweeps).toEqual([]);
});

it("states how many costs a cost per solve lacks", () => {
  const cell = (group: NamedRuns) => {
    const tasks = listTaskValues(group.trials, "reward");
    const filter = { missing: "zero", threshold: 1 } as const;
    return describeCertainty(computeCertainty(group, tasks, "reward", filter, 100)).costPerSolve;
  };
  const partly = createGroup("partly", [
    { task: "a", reward: 1, cost: 0.5 },
    { task: "b", reward: 1, cost: null },
    { task: "c", reward: 0, cost: 1 },
    { task: "c", reward: 1, cost: null },
  ]);
  expect(cell(partly)).toMatchObject({ value: "0.50", range: "2 of 4 costs missing" });
  expect(cell(createGroup("silent", [{ task: "a", reward: 1, cost: null }]))).toMatchObject({
    value: null,
    range: "1 of 1 cost missing",
  });
  expect(cell(CHEAP).range).toBeNull();
  expect(summariseSet(partly)).toMatchObject({ costUsd: 1.5, nWithCost: 2, costPerPass: 1.5 });
});
