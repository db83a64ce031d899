import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { getSharedIndex } from "@/lib/indexer";

// Outside a request Next has no connection to wait for; everything else is real.
vi.mock("next/server", () => ({ connection: () => Promise.resolve() }));

let root: string;
let data: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "assay-panel-"));
  process.env["ASSAY_ROOTS"] = JSON.stringify([root]);
  data = mkdtempSync(join(tmpdir(), "assay-data-"));
  process.env["ASSAY_DATA"] = data;
});
afterAll(async () => {
  await (await getSharedIndex()).close();
  globalThis.assayIndex = undefined;
  for (const folder of [root, data]) rmSync(folder, { recursive: true, force: true });
});

function writeTrial(name: string, reward: number, steps: readonly object[]): void {
  const folder = join(root, "job", name);
  mkdirSync(join(folder, "agent"), { recursive: true });
  const result = {
    id: "9a180dda-1033-4a60-9ef9-09a6625f04b8",
    task_name: "build",
    trial_name: name,
    trial_uri: "file:///x",
    task_id: { path: "build" },
    task_checksum: "0",
    config: {},
    agent_info: { name: "orca", version: "1", model_info: null },
    verifier_result: { rewards: { reward } },
    started_at: "2026-01-01T00:00:00Z",
    finished_at: "2026-01-01T00:10:00Z",
  };
  writeFileSync(join(folder, "result.json"), JSON.stringify(result));
  writeFileSync(join(folder, "agent/trajectory.json"), JSON.stringify({ agent: { name: "orca" }, steps }));
}

function agentStep(id: number, output = "ok"): object {
  return {
    step_id: id,
    source: "agent",
    message: `Part ${id} of the work.`,
    tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command: "make" } }],
    observation: { results: [{ source_call_id: "c", content: output }] },
  };
}

async function open(step: string | null, from: number | null = null, trial = "build__AAAAAAA") {
  const { getTrajectoryPanel } = await import("./steps");
  return await getTrajectoryPanel("job", trial, { step, from });
}

test("a failed trial opens at its failing step, with the rows before its context folded", async () => {
  const many = Array.from({ length: 240 }, (_, i) =>
    agentStep(i + 1, i === 149 ? "2 failed, 1 passed in 0.2s" : "ok"),
  );
  writeTrial("build__AAAAAAA", 0, many);
  writeTrial("build__BBBBBBB", 1, many);
  const panel = await open(null);
  expect([panel.currentKey, panel.offset, panel.steps[0]?.key, panel.steps.length, panel.total]).toEqual([
    "150",
    146,
    "147",
    94,
    240,
  ]);
  expect(panel.folded).toMatchObject({ count: 146, firstKey: "1", lastKey: "146", nMarked: 0 });
  expect(panel.markedKeys).toEqual(["150"]);
});

test("a passed trial opens at the agent's last step", async () => {
  expect((await open(null, null, "build__BBBBBBB")).currentKey).toBe("240");
});

test("a named step and a named row are kept, an unknown step is said to be unknown", async () => {
  const named = await open("20");
  expect([named.currentKey, named.steps[0]?.key, named.steps.length]).toEqual(["20", "17", 100]);
  expect((await open("20", 0)).folded).toBeNull();
  const unknown = await open("nope");
  expect([unknown.isStepUnknown, unknown.currentKey]).toEqual([true, "150"]);
  expect((await open(null, 9_999)).steps).toHaveLength(1);
});
