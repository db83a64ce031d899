import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  type IndexStore,
  readHead,
  fingerprintJobs,
  readJobStates,
  readRefusedScanners,
  readScanners,
  readScanTallies,
  readScanTotals,
  readStoppedScans,
  readTrialIssues,
  readTrials,
  readTrialScans,
} from "@/lib/store/tables";
import { EVERY_TRIAL } from "@/lib/store/tables/read/selection.fixture";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const C = "gamma__ccccccc";

const trace = (command: string) => ({
  schema_version: "ATIF-v1.6",
  session_id: "s",
  agent: { name: "orca", version: "1" },
  steps: [
    {
      step_id: 1,
      source: "agent",
      message: "",
      tool_calls: [{ tool_call_id: "c", function_name: "bash", arguments: { command } }],
    },
    { step_id: 2, source: "agent", message: "Done." },
  ],
});

/** Two trials with a trajectory and one without. */
const makeFiles = () => ({
  ...jobFiles("run", { [A]: 1, [B]: 0 }),
  [`run/${A}/agent/trajectory.json`]: trace("cat /logs/verifier/reward.txt"),
  [`run/${B}/agent/trajectory.json`]: trace("echo 1 > /logs/verifier/reward.txt"),
  [`run/${C}/result.json`]: trialResult(C, 0),
});

async function listFound(store: IndexStore, ...scanners: readonly string[]): Promise<readonly string[]> {
  const order = { by: "task", descending: false } as const;
  const range = { from: 0, limit: 100 };
  const page = await readTrials(store, null, { ...EVERY_TRIAL, scanners }, order, range);
  return page.rows.map(({ trial }) => trial.trialName);
}

const ROOT = `id = "own-root"
version = 1
title = "Became root"
meaning = "The agent ran a command as root."
category = "conduct"
severity = "low"
scope = "steps"
[[when]]
arguments = 'sudo'
[[matches]]
arguments = "sudo ls"
[[misses]]
arguments = "ls"
`;

describeEngines("what scanners find", (engine) => {
  it("is found again by scanner, counted over what was looked through, and shown with its place", async () => {
    const { store } = await indexFolders(engine, [makeFolder(makeFiles())]);
    expect(await listFound(store, "reward-written")).toEqual([B]);
    expect(await listFound(store, "verifier-sought", "reward-written")).toEqual([A, B]);
    const head = await readHead(store, "run");
    const jobRowId = head?.rowId ?? 0;
    const scans = await readTrialScans(store, { jobRowId, position: 1 });
    expect(scans.extent).toBe("steps");
    expect(scans.results.find(({ scanner }) => scanner === "reward-written")).toMatchObject({
      nPlaces: 1,
      info: { severity: "high" },
      places: [{ step: "1", file: "agent/trajectory.json", line: null }],
    });
    const totals = await readScanTotals(store);
    expect(totals.map(({ extent, nTrials }) => [extent, nTrials]).sort()).toEqual([
      ["files", 1],
      ["steps", 2],
    ]);
    const tallies = await readScanTallies(store);
    expect(tallies.filter(({ scanner }) => scanner === "reward-written")).toMatchObject([
      { jobRowId, outcome: "failed", nTrials: 1 },
    ]);
  });

  it("follows the folders: changed trials are scanned again, removed ones are no longer found", async () => {
    const folder = makeFolder(makeFiles());
    const index = await indexFolders(engine, [folder]);
    const { store } = index;
    const seen = new Set([fingerprintJobs(await readJobStates(store))]);
    writeFiles(folder, {
      "run/aaa__ddddddd/result.json": trialResult("aaa__ddddddd", 1),
      [`run/${A}/agent/trajectory.json`]: trace("ls"),
    });
    utimesSync(join(folder, `run/${A}/result.json`), new Date(), new Date(Date.now() + 5000));
    await index.refresh();
    await index.settle();
    expect(await listFound(store, "verifier-sought")).toEqual([B]);
    seen.add(fingerprintJobs(await readJobStates(store)));
    rmSync(join(folder, `run/${B}`), { recursive: true });
    await index.refresh();
    await index.settle();
    expect(await listFound(store, "verifier-sought", "reward-written")).toEqual([]);
    // Each state of the jobs has its own.
    expect(seen.add(fingerprintJobs(await readJobStates(store))).size).toBe(3);
    expect(await store.db.selectFrom("trialScans").select("key").where("key", "=", B).execute()).toEqual([]);
  });
});

it("runs a scanner that is new or was changed, and none that has run, and forgets one that is gone", async () => {
  const data = makeDataFolder();
  const folder = makeFolder({ ...makeFiles(), [`run/${C}/agent/trajectory.json`]: trace("sudo ls") });
  const index = await openHere([folder], data);
  const { store } = index;
  const settle = async () => {
    await index.refresh();
    await index.settle();
  };
  await settle();
  // A scanner that runs again would lose this.
  await store.db.updateTable("trialScans").set({ nPlaces: 7 }).execute();
  const jobs = fingerprintJobs(await readJobStates(store));
  mkdirSync(join(data, "scanners"), { recursive: true });
  writeFileSync(join(data, "scanners", "root.toml"), ROOT);
  writeFileSync(join(data, "scanners", "torn.toml"), "id = ");
  await settle();
  expect(await listFound(store, "own-root")).toEqual([C]);
  expect((await readScanners(store))[0]).toMatchObject({ id: "own-root", isOwn: true });
  expect(await readRefusedScanners(store)).toMatchObject([{ file: "torn.toml", line: 1 }]);
  const kept = await store.db
    .selectFrom("trialScans")
    .select("nPlaces")
    .where("scanner", "=", "reward-written")
    .execute();
  expect(kept).toEqual([{ nPlaces: 7 }]);
  // Values computed from jobs and classes are not computed again for it.
  expect(fingerprintJobs(await readJobStates(store))).toBe(jobs);

  const other = ROOT.replace("'sudo'", "'sudo|^ls'").replace('arguments = "ls"', 'arguments = "pwd"');
  writeFileSync(join(data, "scanners", "root.toml"), other);
  writeFiles(folder, { "run/aaa__ddddddd/result.json": trialResult("aaa__ddddddd", 1) });
  writeFiles(folder, { "run/aaa__ddddddd/agent/trajectory.json": trace("ls") });
  await settle();
  expect(await listFound(store, "own-root")).toEqual(["aaa__ddddddd", C]);

  rmSync(join(data, "scanners", "root.toml"));
  await settle();
  expect(await listFound(store, "own-root")).toEqual([]);
  writeFileSync(join(data, "scanners", "root.toml"), other);
  await settle();
  expect(await listFound(store, "own-root")).toEqual(["aaa__ddddddd", C]);
  expect(await listFound(store, "reward-written")).toEqual([B]);
});

it("names the stopped scanner and its trial, and continues with the others", async () => {
  const data = makeDataFolder();
  mkdirSync(join(data, "scanners"), { recursive: true });
  writeFileSync(
    join(data, "scanners", "slow.toml"),
    ROOT.replace("own-root", "slow").replace("'sudo'", () => "'^(s|s)*udo'"),
  );
  const folder = makeFolder({
    ...makeFiles(),
    [`run/${A}/agent/trajectory.json`]: trace(`${"s".repeat(60)} /logs/verifier`),
  });
  const index = await openHere([folder], data);
  await index.refresh();
  await index.settle();
  const { store } = index;
  expect(await listFound(store, "slow")).toEqual([]);
  expect(await listFound(store, "verifier-sought")).toEqual([A, B]);
  const stopped = await readStoppedScans(store, 10);
  expect(stopped).toMatchObject([{ scanner: "slow", jobKey: "run", trialKey: A }]);
  const issues = await readTrialIssues(store, (await readHead(store, "run"))?.rowId ?? 0, A);
  expect(issues).toMatchObject([
    { code: "scanner_stopped", detail: expect.stringContaining("slow") as string },
  ]);
});
