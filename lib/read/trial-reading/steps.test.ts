import { expect, test } from "vitest";

import type { JsonNode } from "@/lib/core/domain/file-preview";
import { readTrajectory } from "@/lib/read/loader/detail";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { buildTrial } from "@/lib/testing/job-bundle.fixture";

import type { StepsRequest } from "./choose-steps";
import { readStepImage } from "./readers";
import { prepareSteps } from "./steps";

const ALL: StepsRequest["filter"] = { roles: [], tools: [], paths: [], range: null, only: [] };

function agentStep(id: number, output = "ok"): object {
  return {
    step_id: id,
    source: "agent",
    message: `Part ${id} of the work.`,
    tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command: "make" } }],
    observation: { results: [{ source_call_id: "c", content: output }] },
  };
}

const steps = Array.from({ length: 240 }, (_, i) =>
  agentStep(i + 1, i === 149 ? "2 failed, 1 passed in 0.2s" : "ok"),
);

async function open(
  step: string | null,
  from: number | null = null,
  outcome: "passed" | "failed" = "failed",
  more: Partial<StepsRequest> = {},
) {
  const folder = makeFolder({ "agent/trajectory.json": { agent: { name: "orca" }, steps } });
  const trial = { ...buildTrial("build__AAAAAAA", 0), outcome };
  return prepareSteps(await readTrajectory(folder), trial, folder, {
    source: null,
    step,
    from,
    find: null,
    filter: ALL,
    lanes: [],
    ...more,
  });
}

test("a failed trial opens at its failing step, with the rows before its context folded", async () => {
  const panel = await open(null);
  expect([panel.currentKey, panel.offset, panel.steps[0]?.key, panel.steps.length, panel.total]).toEqual([
    "150",
    149,
    "150",
    91,
    240,
  ]);
  expect(panel.folded).toMatchObject({ count: 149, firstKey: "1", lastKey: "149", nMarked: 0 });
  expect(panel.markedKeys).toEqual(["150"]);
});

test("a failed trial opens at the step that decided it, unless the address names another", async () => {
  const folder = makeFolder({ "agent/trajectory.json": { agent: { name: "orca" }, steps } });
  const trajectory = await readTrajectory(folder);
  const openAt = (decisive: string | null, outcome: "passed" | "failed", step: string | null = null) =>
    prepareSteps(
      trajectory,
      { ...buildTrial("build__AAAAAAA", 0), outcome },
      folder,
      { source: null, step, from: null, find: null, filter: ALL, lanes: [] },
      decisive,
    ).currentKey;
  expect(openAt("60", "failed")).toBe("60");
  expect(openAt("60", "failed", "7")).toBe("7");
  expect(openAt("nowhere", "failed")).toBe("150");
  expect(openAt("60", "passed")).toBe("240");
});

test("a passed trial opens at the agent's last step", async () => {
  expect((await open(null, null, "passed")).currentKey).toBe("240");
});

test("a named step and a named row are kept, an unknown step is said to be unknown", async () => {
  const named = await open("20");
  expect([named.currentKey, named.steps[0]?.key, named.steps.length]).toEqual(["20", "20", 100]);
  expect((await open("20", 0)).folded).toBeNull();
  const unknown = await open("nope");
  expect([unknown.isStepUnknown, unknown.currentKey]).toEqual([true, "150"]);
  expect((await open(null, 9_999)).steps).toHaveLength(1);
});

test("only the steps that fit are listed, numbered as in the whole trajectory", async () => {
  const find = { text: "Part 15\\d", isPattern: true, isCased: true };
  const errors = await open(null, null, "failed", { filter: { ...ALL, only: ["errors"] } });
  expect([errors.total, errors.nAll, errors.steps.map(({ key }) => key)]).toEqual([1, 240, ["150"]]);
  const matches = await open("152", null, "failed", {
    find,
    filter: { ...ALL, tools: ["bash"], only: ["matches"] },
  });
  expect(matches.steps.map(({ key }) => key)).toEqual(
    Array.from({ length: 10 }, (_, nth) => String(150 + nth)),
  );
  expect([matches.currentKey, matches.found?.nextKey]).toEqual(["152", "153"]);
  const none = await open("20", null, "failed", { filter: { ...ALL, roles: ["user"] } });
  expect([none.total, none.currentKey, none.isStepUnknown]).toEqual([0, null, false]);
  expect(none.facets).toEqual({
    roles: [{ value: "agent", count: 240 }],
    tools: [{ value: "bash", count: 240 }],
    paths: [],
    nErrors: 1,
  });
  // An excluded step opens the list at its place.
  const left = await open("20", null, "failed", { filter: { ...ALL, only: ["errors"] } });
  expect(left.currentKey).toBe("150");
});

test("steps are listed by the files that their calls name and by a stretch, with what they took together", async () => {
  const call = (id: number, name: string, args: object) => ({
    step_id: id,
    source: "agent",
    message: "",
    tool_calls: [{ tool_call_id: "c", function_name: name, arguments: args }],
    metrics: { completion_tokens: 10 * id },
  });
  const patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** Add File: src/c.py\n+1\n*** End Patch";
  const folder = makeFolder({
    "agent/trajectory.json": {
      agent: { name: "orca" },
      steps: [
        { step_id: 1, source: "system", message: "Be careful." },
        { step_id: 2, source: "user", message: "Mend src/a.py." },
        call(3, "read", { path: "src/a.py" }),
        call(4, "bash", { command: "cat src/a.py" }),
        call(5, "apply_patch", { input: patch }),
        call(6, "write", { file_path: "src/b.py", content: "1" }),
        { step_id: 7, source: "user", message: "Thank you." },
      ],
    },
  });
  const trajectory = await readTrajectory(folder);
  const list = (filter: Partial<StepsRequest["filter"]>) =>
    prepareSteps(trajectory, buildTrial("build__AAAAAAA", 0), folder, {
      source: null,
      step: null,
      from: 0,
      find: null,
      filter: { ...ALL, ...filter },
      lanes: [],
    });
  const keysOf = (filter: Partial<StepsRequest["filter"]>) => list(filter).steps.map(({ key }) => key);
  expect(list({}).facets.paths).toEqual([
    { value: "src/a.py", count: 2 },
    { value: "src/c.py", count: 1 },
    { value: "src/b.py", count: 1 },
  ]);
  // Files that a command touches are unknown.
  expect(keysOf({ paths: ["src/a.py"] })).toEqual(["3", "5"]);
  expect(keysOf({ paths: ["src/c.py", "src/b.py"] })).toEqual(["5", "6"]);
  expect(keysOf({ range: ["3", "5"], roles: ["agent"] })).toEqual(["3", "4", "5"]);
  expect(list({ range: ["3", "5"] }).sums).toEqual({
    outputTokens: 120,
    costUsd: null,
    userCostUsd: null,
    durationMs: null,
  });
  expect(keysOf({ range: ["3", "none"] })).toHaveLength(7);
  expect(list({}).instruction).toEqual({ key: "2", text: "Mend src/a.py.", isCut: false });
});

test("the strip has every step in one column, with what its steps state and nothing for what they do not", async () => {
  const { strip } = await open("150", null, "failed", {
    find: { text: "Part 7 ", isPattern: false, isCased: true },
  });
  expect(strip.columns.map(({ key }) => key)).toEqual(
    Array.from({ length: 240 }, (_, nth) => String(nth + 1)),
  );
  expect(strip.columns.flatMap(({ nErrors }, at) => (nErrors > 0 ? [at] : []))).toEqual([149]);
  expect(strip.columns.flatMap(({ nFound }, at) => (nFound > 0 ? [at] : []))).toEqual([6]);
  expect(strip).toMatchObject({
    nErrors: 1,
    current: 149,
    listed: [149, 239],
    durationMs: null,
    costUsd: null,
  });
});

test("the outline names every step of the part that is open, and says how many it leaves out", async () => {
  const { outline, openPart } = await open("20");
  const at = outline.findIndex(({ key }) => key === openPart?.key);
  const [first, next] = [Number(outline[at]?.key), Number(outline[at + 1]?.key)];
  expect(first <= 20 && 20 < next).toBe(true);
  expect(openPart?.steps.map(({ key }) => Number(key))).toEqual(
    Array.from({ length: next - first - 1 }, (_, nth) => first + 1 + nth),
  );
  expect([openPart?.nBefore, openPart?.nAfter]).toEqual([0, 0]);
});

test("JSON arguments and outputs are trees and texts; anything but complete JSON stays text", async () => {
  const outputs = ['{"a": 1.0, "b": [true, null]}', '{"a": 1.0, "b": [tr', "[]", '{"a": 1} and more', '"a"'];
  const folder = makeFolder({
    "agent/trajectory.json": {
      agent: { name: "orca" },
      steps: outputs.map((output, at) => ({
        step_id: at + 1,
        source: "agent",
        message: "",
        tool_calls: [{ tool_call_id: "c", function_name: "todo", arguments: { list: [{ id: at }] } }],
        observation: { results: [{ source_call_id: "c", content: output }] },
      })),
    },
  });
  const window = { source: null, step: null, from: 0, find: null, filter: ALL, lanes: [] };
  const panel = prepareSteps(await readTrajectory(folder), buildTrial("build__AAAAAAA", 0), folder, window);
  const blocks = panel.steps.map((step) =>
    step.blocks.map((block) => ("tree" in block ? [block.text.lines[0], writeTree(block.tree)] : block.kind)),
  );
  expect(blocks.map(([, output]) => output)).toEqual([
    [outputs[0], "a: 1.0, b: (true, null)"],
    ...outputs.slice(1).map((text) => [text, null]),
  ]);
  expect(blocks[3]?.[0]).toEqual(["list:", "list: ((id: 3))"]);
});

test("an image that is written out is named on the page by its place in its step, and read by that place", async () => {
  const png = (end: string) => ({
    type: "image",
    data: `iVBORw0KGgo${"A".repeat(80)}${end}`,
    mimeType: "image/png",
  });
  const observation = { results: [{ content: [png("BBBB")] }] };
  const image = [
    { step_id: 1, source: "agent", message: [{ type: "text", text: "see" }, png("AAAA")], observation },
  ];
  const folder = makeFolder({ "agent/trajectory.json": { agent: { name: "orca" }, steps: image } });
  const window = { source: null, step: null, from: 0, find: null, filter: ALL, lanes: [] };
  const panel = prepareSteps(await readTrajectory(folder), buildTrial("build__AAAAAAA", 0), folder, window);
  expect(JSON.stringify(panel)).not.toContain("iVBORw0KGgo");
  expect(
    panel.steps[0]?.blocks.map((block) => (block.kind === "image" ? block.embedded : block.kind)),
  ).toEqual([
    "prose",
    { nth: 0, type: "image/png", sizeBytes: 71 },
    { nth: 1, type: "image/png", sizeBytes: 71 },
  ]);
  const place = { path: folder, root: { index: 0, label: "", path: folder }, stepNames: null, ledger: null };
  const read = async (step: string, nth: number) =>
    (await readStepImage(place, { source: null, step, nth }))?.slice(-4);
  expect([await read("1", 1), await read("1", 2), await read("2", 0)]).toEqual([
    "BBBB",
    undefined,
    undefined,
  ]);
});

test("a long text that an earlier step has to the last character names the first such step", async () => {
  const long = "word ".repeat(200);
  const texts = [long, `${long}!`, "short", long, "short", `${long}!`];
  const folder = makeFolder({
    "agent/trajectory.json": {
      agent: { name: "orca" },
      steps: texts.map((message, at) => ({
        step_id: at + 1,
        source: "user",
        message,
        observation: { results: [{ content: long }] },
      })),
    },
  });
  const window = { source: null, step: null, from: 0, find: null, filter: ALL, lanes: [] };
  const panel = prepareSteps(await readTrajectory(folder), buildTrial("build__AAAAAAA", 0), folder, window);
  const repeats = panel.steps.map(({ blocks }) =>
    blocks.map((block) => ("repeats" in block ? block.repeats : block.kind)),
  );
  // A text that is twice in one step does not repeat an earlier step.
  expect(repeats).toEqual([
    [null, null],
    [null, "1"],
    [null, "1"],
    ["1", "1"],
    [null, "1"],
    ["2", "1"],
  ]);
});

function writeTree(node: JsonNode | null): string | null {
  if (node === null) return null;
  const write = ({ key, text, n, children }: JsonNode): string =>
    `${key === null ? "" : `${key}: `}${n === 0 ? text : `(${children.map(write).join(", ")})`}`;
  return node.children.map(write).join(", ");
}
