import { expect, test } from "vitest";

import { atSecond, buildBundle, buildGroup, buildTrial } from "@/lib/testing/job-bundle.fixture";

import { mergeByLists, iterateOrders } from "./order";

function listOrders(...args: Parameters<typeof iterateOrders>): string[] {
  return [...iterateOrders(...args)].map(
    ({ order, trials }) => `${order}: ${trials.map((t) => t.trialName).join(" ")}`,
  );
}

const plan = (...tasks: string[]) => tasks.map((taskName) => ({ taskName, agent: "orca", model: "m1" }));

test("the plan nests attempts over tasks; the first to start is the first attempt", () => {
  const members = [
    buildTrial("a1", 1, { taskName: "a", time: { startedAt: atSecond(9), finishedAt: null } }),
    buildTrial("a2", 1, { taskName: "a", time: { startedAt: atSecond(1), finishedAt: null } }),
    buildTrial("b1", 1, { taskName: "b", time: { startedAt: atSecond(5), finishedAt: null } }),
    buildTrial("b2", 1, { taskName: "b", time: { startedAt: atSecond(6), finishedAt: null } }),
  ];
  const { job } = buildBundle(members, [], { plan: plan("b", "a", "b", "a") });
  expect(listOrders(job, members, null)[0]).toBe("lock: b1 a2 b2 a1");
});

test("with several agents in the plan a group keeps its own places", () => {
  const members = [buildTrial("a", 1, { taskName: "a" }), buildTrial("b", 1, { taskName: "b" })];
  const two = ["b", "a"].flatMap((taskName) =>
    ["lamp", "orca"].map((agent) => ({ taskName, agent, model: null })),
  );
  expect(listOrders(buildBundle(members, [], { plan: two }).job, members, null)[0]).toBe("lock: b a");
});

test("agents of a plan are told apart by agent and model, not by their names in a row", () => {
  const members = [buildTrial("a", 1, { taskName: "a" }), buildTrial("b", 1, { taskName: "b" })];
  const agents = [
    { agent: "orca two", model: "m1" },
    { agent: "orca", model: "two m1" },
  ];
  const two = ["b", "a", "b", "a"].flatMap((taskName) => agents.map((one) => ({ taskName, ...one })));
  const again = members.map((trial) => ({
    ...trial,
    trialName: `${trial.trialName}2`,
    key: `${trial.key}2`,
  }));
  expect(listOrders(buildBundle(members, [], { plan: two }).job, [...members, ...again], null)[0]).toBe(
    "lock: b a b2 a2",
  );
});

test("a resumed job adds the trials it found first, in directory order, then the rest of the plan", () => {
  const starts = { t0: 100, t1: 110, t2: 120, t3: 5, t4: 0 };
  const members = Object.entries(starts).map(([name, second]) =>
    buildTrial(name, 1, {
      taskName: name,
      time: { startedAt: atSecond(second), finishedAt: atSecond(second + 20) },
    }),
  );
  const { job } = buildBundle(members, [], { plan: plan("t2", "t4", "t1", "t3", "t0") });
  expect(listOrders(job, members, null)).toContain("lock: t3 t4 t2 t1 t0");
});

test("stats order interleaves the lists by the first trial of each value", () => {
  const members = ["a", "b", "c", "d"].map((name) => buildTrial(name, 1));
  const rewardStats = new Map([
    [
      "reward",
      new Map([
        ["1.0", ["d", "b"]],
        ["0.0", ["c", "a"]],
      ]),
    ],
  ]);
  expect(listOrders(buildBundle(members, []).job, members, buildGroup({ rewardStats }))[0]).toBe(
    "stats: d b c a",
  );
});

test("lists that contradict one another lose no trial and give way to the given order", () => {
  const trials = ["a", "b", "c"].map((name) => buildTrial(name, 1));
  const merged = mergeByLists(trials, [
    ["c", "b"],
    ["b", "c"],
    ["gone", "a"],
  ]);
  expect(merged.map((trial) => trial.trialName)).toEqual(["a", "b", "c"]);
});
