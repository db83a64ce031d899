import { expect, it } from "vitest";

import { makeFolder } from "@/lib/testing/folder.fixture";

import { readTrajectory } from "./read-trajectory";

const read = (files: Readonly<Record<string, unknown>>) => readTrajectory(makeFolder(files));
const deep = (levels: number, inside: string) => `${"[".repeat(levels)}${inside}${"]".repeat(levels)}`;
const event = (id: number, more: object) => JSON.stringify({ id, source: "agent", ...more });

it("an event that is nested without end is left out and named, and the others are read", async () => {
  const { steps, issues } = await read({
    "agent/sessions/s/events/0.json": event(0, { action: "message", args: { content: "I begin." } }),
    "agent/sessions/s/events/1.json": `{"id": 1, "source": "agent", "observation": "run", "content": ${deep(100_000, "")}}`,
    "agent/sessions/s/events/2.json": event(2, { action: "message", args: { content: "I end." } }),
  });
  expect(steps.map(({ message }) => message)).toEqual([
    [{ kind: "text", text: "I begin." }],
    [{ kind: "text", text: "I end." }],
  ]);
  expect(issues.map(({ detail }) => detail)).toEqual([expect.stringContaining("events/1.json")]);
});

it("arguments that are mostly depth are not written as mostly indentation", async () => {
  const args = deep(400, Array.from({ length: 50_000 }, () => "1").join());
  const text = `{"schema_version": "ATIF-v1.6", "steps": [{"source": "agent", "message": "",
    "tool_calls": [{"function_name": "x", "arguments": {"a": ${args}}}]}]}`;
  const { steps } = await read({ "agent/trajectory.json": text });
  expect(steps[0]?.calls[0]?.argumentsText.length).toBeLessThan(2 * text.length);
});

it("every event of a long session is read, regardless of other files in the folder", async () => {
  const events = Array.from({ length: 2_000 }, (_, id) => [
    `agent/sessions/s/events/${id}.json`,
    event(id, { action: "message", args: { content: `Part ${id}.` } }),
  ]);
  const other = Array.from({ length: 1_600 }, (_, id) => [`agent/completions/${id}.bin`, "x"]);
  const { steps, notes } = await read(Object.fromEntries([...events, ...other]) as Record<string, string>);
  expect([steps.length, notes]).toEqual([2_000, []]);
});

it("of a hundred thousand dangling references, as many are named as a page shows", async () => {
  const refs = Array.from({ length: 100_000 }, (_, id) => ({ trajectory_id: `gone-${id}` }));
  const subagents = Array.from({ length: 900 }, (_, id) => ({ trajectory_id: `there-${id}`, steps: [] }));
  const { issues } = await read({
    "agent/trajectory.json": {
      steps: [
        { source: "agent", message: "x", observation: { results: [{ subagent_trajectory_ref: refs }] } },
      ],
      subagent_trajectories: subagents,
    },
  });
  expect(issues).toHaveLength(100);
});

it("a span with as many parts as a file may hold is a tree as any other", async () => {
  const span = (id: number, parent: number | null) =>
    `{"trace_id":"t","span_id":"${id}","parent_span_id":${parent === null ? "null" : `"${parent}"`},"attributes":{}}`;
  const lines = [span(0, null), ...Array.from({ length: 90_000 }, (_, id) => span(id + 1, 0))];
  const { steps } = await read({ "agent/spans.jsonl": lines.join("\n") });
  expect(steps).toHaveLength(lines.length);
  expect(steps.at(-1)?.depth).toBe(1);
});

it("subagents with odd names have names that an address can hold, each its own", async () => {
  const names = ["\ud800", "a\ud800b", "*", "main", "a", "a 3", "a", "__proto__", "n".repeat(5_000)];
  const side = (name: string, n: number) => ({
    step_id: n,
    source: "agent",
    message: `Part ${n}.`,
    extra: { is_sidechain: true, agent_id: name },
  });
  const embedded = names.map((name, n) => ({
    trajectory_id: `${n}`,
    agent: { name },
    steps: [{ source: "agent", message: "x" }],
  }));
  const refs = names.map((name, n) => ({ trajectory_id: `${n}`, label: name }));
  const { steps } = await read({
    "agent/trajectory.json": {
      steps: [
        { source: "agent", message: "x", observation: { results: [{ subagent_trajectory_ref: refs }] } },
        side("x".repeat(300), 2),
        side("x".repeat(300), 3),
      ],
      subagent_trajectories: embedded,
    },
  });
  const lanes = new Set(steps.map(({ lane }) => lane));
  expect([...lanes].every((lane) => lane.isWellFormed() && lane.length < 100 && lane !== "*")).toBe(true);
  expect(new Set(steps.map(({ key }) => key)).size).toBe(steps.length);
  // The two of a side chain are of one lane.
  expect(lanes.size).toBe(1 + names.length + 1);
});
