import { expect, test } from "vitest";

import { readTrajectory } from "@/lib/loader/detail";
import { makeFolder } from "@/lib/testing/folder.fixture";
import { buildTrial } from "@/lib/testing/job-bundle.fixture";

import { prepareSteps } from "./steps";

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
) {
  const folder = makeFolder({ "agent/trajectory.json": { agent: { name: "orca" }, steps } });
  const trial = { ...buildTrial("build__AAAAAAA", 0), outcome };
  return prepareSteps(await readTrajectory(folder), trial, folder, { source: null, step, from, find: null });
}

test("a failed trial opens at its failing step, with the rows before its context folded", async () => {
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
  expect((await open(null, null, "passed")).currentKey).toBe("240");
});

test("a named step and a named row are kept, an unknown step is said to be unknown", async () => {
  const named = await open("20");
  expect([named.currentKey, named.steps[0]?.key, named.steps.length]).toEqual(["20", "17", 100]);
  expect((await open("20", 0)).folded).toBeNull();
  const unknown = await open("nope");
  expect([unknown.isStepUnknown, unknown.currentKey]).toEqual([true, "150"]);
  expect((await open(null, 9_999)).steps).toHaveLength(1);
});
