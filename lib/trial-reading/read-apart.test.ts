import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { jobFiles, makeFolder } from "@/lib/catalog/folder.fixture";
import { bundlePrograms } from "@/lib/processes/bundle.fixture";
import { buildTrial } from "@/lib/verification/bundle.fixture";

import { closeReaders, readApart, type TrialPlace } from "./index";
import { carryOut } from "./readers";

const NAME = "alpha__aaaaaaa";

beforeAll(async () => {
  process.env["ASSAY_PROGRAMS"] = await bundlePrograms({ "trial-reading": "lib/trial-reading/main.ts" });
});

afterAll(async () => {
  delete process.env["ASSAY_PROGRAMS"];
  await closeReaders();
});

function openTrial(files: Readonly<Record<string, unknown>>): TrialPlace {
  const root = makeFolder({
    ...jobFiles("run", { [NAME]: 1 }),
    ...Object.fromEntries(Object.entries(files).map(([path, value]) => [`run/${NAME}/${path}`, value])),
  });
  return {
    path: join(root, "run", NAME),
    root: { index: 0, label: "jobs", path: root },
    stepNames: null,
    ledger: null,
  };
}

it("gives what the reader gives here, values that JSON does not know included", async () => {
  const place = openTrial({
    "verifier/details.json": '{"a": {"score": NaN}, "b": {"score": 0.5, "max_score": 2}}',
    "agent/trajectory.json": {
      agent: { name: "orca" },
      steps: [{ step_id: 1, source: "agent", message: "x" }],
    },
  });
  const apart = await readApart("details", "x", place);
  expect(apart).toEqual(await carryOut({ reader: "details", input: [place] }));
  expect(apart).toMatchObject({
    nSteps: 1,
    breakdown: { sources: [{ dimensions: [{ name: "a" }, { name: "b" }] }] },
  });
});

it("refuses what no page could take, and goes on with the next", async () => {
  const read = (trialName: string) => {
    const job = { key: "run", name: "run", id: null };
    const trial = { ...buildTrial(NAME, 1), trialName };
    return readApart("evaluation-text", "x", { job, root: null, trial, path: null, judgments: [] }, "line");
  };
  await expect(read("x".repeat(33 << 20))).rejects.toMatchObject({ code: "reading_failed" });
  expect(await read("short")).toContain("short");
});

it("cuts what another job says of a trial", async () => {
  const result = { trial_name: "x", summary: "x".repeat(9 << 20), checks: {} };
  const { path } = openTrial({ "analysis.json": { results: [result] } });
  const [[entry] = []] = await readApart("reports", "x", [
    { path: path ?? "", purpose: "analysis", subject: "x" },
  ]);
  expect(entry?.analysis.summary).toMatch(/^x{1000}/);
  expect(entry?.analysis.summary?.length).toBeLessThan(100_000);
});

it("shows every step of a window, however much each of them says, and the one that was asked for first", async () => {
  const text = "several words of a line\n".repeat(400);
  const call = { function_name: "bash", arguments: { command: text } };
  const steps = Array.from({ length: 100 }, (_, n) => ({
    step_id: n + 1,
    source: "agent",
    message: text,
    reasoning_content: text,
    tool_calls: Array.from({ length: n === 0 ? 600 : 1 }, (_, i) => ({ ...call, tool_call_id: `${n}-${i}` })),
    observation: { results: [{ source_call_id: `${n}-0`, content: text }] },
  }));
  const place = openTrial({
    "agent/trajectory.json": { schema_version: "ATIF-v1.6", session_id: "s", agent: { name: "orca" }, steps },
  });
  const phases = { environmentSetup: null, agentSetup: null, agentExecution: null, verifier: null };
  const request = { step: "100", from: 0 };
  const panel = await readApart("steps", "x", place, { outcome: "failed", phases }, request);
  expect(panel.steps).toHaveLength(100);
  // A page holds it twice, beside what it needs for each line.
  expect(JSON.stringify(panel.steps).length).toBeLessThan(700_000);
  expect(panel.steps[0]?.blocks.at(-1)).toMatchObject({ kind: "rest" });
  const [asked] = panel.steps[99]?.blocks ?? [];
  expect(asked).toMatchObject({ kind: "prose", text: { totalLines: 400, cutNote: null } });
});

it("counts every test, and shows those that failed when there are too many", async () => {
  const tests = Array.from({ length: 3_000 }, (_, n) => ({
    name: `t${n}`,
    status: n < 2_990 ? "passed" : "failed",
  }));
  const { tests: reports, issues } = await readApart(
    "details",
    "x",
    openTrial({ "verifier/ctrf.json": { results: { tests } } }),
  );
  expect(reports).toMatchObject([{ nTests: 3_000, nPassed: 2_990, nFailed: 10 }]);
  expect(reports[0]?.tests.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill("failed"));
  expect(reports[0]?.tests.length).toBeLessThan(3_000);
  expect(issues).toMatchObject([{ code: "text_too_long" }]);
});

it("counts every dimension and criterion where it lists only some", async () => {
  const criteria = Array.from({ length: 700 }, (_, n) => ({ name: `c${n}`, satisfied: n % 2 === 0 }));
  const rows = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`d${n}`, { score: 1 }]));
  const { breakdown } = await readApart(
    "details",
    "x",
    openTrial({ "verifier/reward-details.json": { judged: { score: 0.5, criteria }, ...rows } }),
  );
  const [source] = breakdown.sources;
  expect(source?.nDimensions).toBe(901);
  expect(source?.dimensions[0]).toMatchObject({ nCriteria: 700, nMet: 350 });
  expect(source?.dimensions.length).toBeLessThan(901);
  expect(source?.dimensions[0]?.criteria.length).toBeLessThan(700);
});
