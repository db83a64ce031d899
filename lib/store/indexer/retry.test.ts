import { expect, it } from "vitest";

import { readIssues, readTotals } from "@/lib/store/tables";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { makeDataFolder, openHere } from "@/lib/testing/index.fixture";

import { Indexer, type ScanScope } from "./indexer";
import { SourceReader } from "./reader";

const TRIAL = "alpha__aaaaaaa";

/** An indexer whose reading of the job `run` fails as long as `isBroken`, as a fault of the program would. */
async function openBroken() {
  const folder = makeFolder({
    ...jobFiles("run", { [TRIAL]: 1 }),
    ...jobFiles("fine", { beta__bbbbbbb: 1 }, { id: "fine" }),
  });
  const { store, roots } = await openHere([folder], makeDataFolder());
  const reader = new SourceReader(store);
  const fault = { isBroken: true, nReadings: 0 };
  const indexer = new Indexer({
    store,
    roots,
    summation: "cpython-3.12",
    withDerivedDetails: false,
    dataFolder: "",
    now: Date.now,
    onStatus: () => undefined,
    executor: {
      run: (request, onTrials) => {
        if (request.kind !== "read" || request.task.discovered.folder !== "run")
          return reader.run(request, onTrials);
        fault.nReadings += 1;
        return fault.isBroken ? Promise.reject(new Error("boom")) : reader.run(request, onTrials);
      },
    },
  });
  const scan = async (scope?: ScanScope) => {
    fault.nReadings = 0;
    await indexer.scan(scope);
    const { issues } = await readIssues(store, { text: "reading_failed", limit: 10 });
    return { nReadings: fault.nReadings, issues, status: indexer.status };
  };
  return { folder, store, fault, scan };
}

it("a folder whose reading fails is reported, read again once, and then left alone while nothing changes", async () => {
  const { scan, store } = await openBroken();
  const first = await scan();
  expect(first.nReadings).toBe(1);
  expect(first.status).toMatchObject({ phase: "current", failure: null });
  expect(first.issues).toMatchObject([{ code: "reading_failed", path: "jobs/run" }]);
  expect(first.issues[0]?.detail).toContain("boom");
  // Its files may have been half written when they were read.
  expect((await scan()).nReadings).toBe(1);
  expect((await scan()).nReadings).toBe(0);
  expect((await scan(new Set())).nReadings).toBe(0);
  expect((await readTotals(store)).nJobs).toBe(2);
});

it.each([
  ["a file of it is written", { [`run/${TRIAL}/result.json`]: trialResult(TRIAL, 0) }],
  ["a reward is written", { [`run/${TRIAL}/verifier/reward.txt`]: "0.5\n" }],
  ["a trial is added", { "run/gamma__ccccccc/result.json": trialResult("gamma__ccccccc", 0) }],
  ["the job's own record is written", { "run/lock.json": {} }],
])("a folder whose reading failed is read again when %s", async (_, files) => {
  const { folder, fault, scan } = await openBroken();
  await scan();
  await scan();
  writeFiles(folder, files);
  expect((await scan()).nReadings).toBe(1);
  expect((await scan()).nReadings).toBe(0);
  fault.isBroken = false;
  writeFiles(folder, { [`run/${TRIAL}/result.json`]: trialResult(TRIAL, 0.25) });
  expect(await scan()).toMatchObject({ nReadings: 1, issues: [] });
  expect((await scan()).nReadings).toBe(0);
});

it("a folder whose reading failed is read again on request", async () => {
  const { fault, scan } = await openBroken();
  await scan();
  await scan();
  expect((await scan("retry")).nReadings).toBe(1);
  fault.isBroken = false;
  expect(await scan("retry")).toMatchObject({ nReadings: 1, issues: [] });
  expect((await scan("retry")).nReadings).toBe(0);
});
