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
