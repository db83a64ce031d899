import { expect, test } from "vitest";

import { ALL_LANES } from "@/lib/core/domain/trajectory";
import { readTrajectory } from "@/lib/read/loader/detail";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { buildTrial } from "@/lib/testing/job-bundle.fixture";

import type { StepsRequest } from "./choose-steps";
import { prepareSteps, type TrialSteps } from "./steps";

const at = (second: number) => `2026-05-01T10:00:${String(second).padStart(2, "0")}Z`;
const say = (second: number, message: string, more: object = {}) => ({
  source: "agent",
  message,
  timestamp: at(second),
  ...more,
});
const start = (...ids: readonly string[]) => ({
  tool_calls: ids.map((id) => ({ tool_call_id: id, function_name: "task", arguments: {} })),
  observation: {
    results: ids.map((id) => ({
      source_call_id: id,
      content: "Done.",
      subagent_trajectory_ref: [{ trajectory_id: id }],
    })),
  },
});
const failed = { observation: { results: [{ content: "exit code 2" }] } };

/** Two parallel subagents, the first with one of its own, and a third one later. */
const FOLDER = {
  "agent/trajectory.json": {
    schema_version: "ATIF-v1.6",
    agent: { name: "orca" },
    steps: [
      say(0, "Both.", start("left", "right")),
      say(30, "Then one more.", start("late")),
      say(50, "It is built."),
    ].map((step, n) => ({ step_id: n + 1, ...step })),
    subagent_trajectories: [
      {
        trajectory_id: "left",
        agent: { name: "helper" },
        steps: [say(1, "I look."), say(5, "I ask.", start("inner")), say(12, "I saw a heron.")],
        subagent_trajectories: [
          {
            trajectory_id: "inner",
            agent: { name: "helper" },
            steps: [say(6, "Within."), say(8, "No.", failed)],
          },
        ],
      },
      {
        trajectory_id: "right",
        agent: { name: "helper" },
        steps: [
          say(3, "I read.", { metrics: { prompt_tokens: 100, completion_tokens: 7, cost_usd: 0.25 } }),
          say(20, "I stop.", failed),
        ],
      },
      { trajectory_id: "late", agent: { name: "helper" }, steps: [say(31, "I check.")] },
      { trajectory_id: "unasked", agent: { name: "helper" }, steps: [say(40, "Nobody named me.")] },
    ],
  },
};
const ALL: StepsRequest["filter"] = { roles: [], tools: [], paths: [], range: null, only: [] };

async function open(more: Partial<StepsRequest>): Promise<TrialSteps> {
  const folder = makeFolder(FOLDER);
  const request = { source: null, step: null, from: 0, find: null, filter: ALL, lanes: [], ...more };
  return prepareSteps(await readTrajectory(folder), buildTrial("build__AAAAAAA", 0), folder, request);
}

const keysOf = ({ steps }: TrialSteps) => steps.map(({ key }) => key);
const lanesOf = ({ steps }: TrialSteps) =>
  steps.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "lanes" ? block.lanes : [])));

test("subagents are rows of the steps that started them, with what they took and who worked in the same time", async () => {
  const panel = await open({});
  // A subagent that no step says to have started has no row of its own.
  expect(keysOf(panel)).toEqual(["1", "2", "3", "unasked.1"]);
  expect([panel.total, panel.nFitting, panel.nAll]).toEqual([4, 12, 12]);
  const sums = { outputTokens: null };
  expect(lanesOf(panel)).toEqual([
    {
      name: "left",
      key: "left.1",
      nSteps: 3,
      nErrors: 0,
      durationMs: 11_000,
      ...sums,
      besides: ["right"],
      isOpen: false,
    },
    {
      name: "right",
      key: "right.1",
      nSteps: 2,
      nErrors: 1,
      durationMs: 17_000,
      outputTokens: 7,
      besides: ["left"],
      isOpen: false,
    },
    {
      name: "late",
      key: "late.1",
      nSteps: 1,
      nErrors: 0,
      durationMs: 0,
      ...sums,
      besides: [],
      isOpen: false,
    },
  ]);
});

test("a subagent opens in place, by its name, by one of its steps and with all others", async () => {
  const left = ["left.1", "left.2", "left.3"];
  expect(keysOf(await open({ lanes: ["left"] }))).toEqual(["1", ...left, "2", "3", "unasked.1"]);
  // Lanes inside a closed one stay closed, and the path to a step is open.
  expect(keysOf(await open({ lanes: ["inner"] }))).toEqual(["1", "2", "3", "unasked.1"]);
  const within = await open({ step: "inner.2" });
  expect(keysOf(within)).toEqual([
    "1",
    "left.1",
    "left.2",
    "inner.1",
    "inner.2",
    "left.3",
    "2",
    "3",
    "unasked.1",
  ]);
  expect(within.currentKey).toBe("inner.2");
  expect(lanesOf(within).filter(({ isOpen }) => isOpen === true)).toHaveLength(2);
  expect(keysOf(await open({ lanes: [ALL_LANES] }))).toHaveLength(12);
});

test("what is looked for and filtered is found in closed subagents", async () => {
  const text = { text: "heron", isPattern: false, isCased: false };
  const found = await open({ find: text });
  expect([found.found?.nMatches, found.currentKey]).toEqual([1, "left.3"]);
  const errors = await open({ filter: { ...ALL, only: ["errors"] } });
  expect(keysOf(errors)).toEqual(["inner.2", "right.2"]);
  expect((await open({})).markedKeys).toEqual(["inner.2", "right.2"]);
});
