import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import type Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";

import { readCatalog } from "@/lib/read/catalog/read-catalog";
import { dropRights, makeFolder, writeFiles } from "@/lib/testing/folder.fixture";
import {
  addRollout,
  openServerDatabase,
  type Rollout,
  servedFiles,
  serverId,
} from "@/lib/testing/served.fixture";

import { readEarlierAttempts } from "../detail";
import { discoverJobs } from "../discover/discover";
import { readJob } from "../harbor/read-job";
import { describeSource, isSourceUnchanged } from "../harbor/source-fingerprint";
import { MemoryBudget } from "../memory-budget";

const [JOB_A, JOB_B] = [serverId("a"), serverId("b")];
const T1 = "alpha__aaaaaaa";
const T2 = "beta__bbbbbbb";
const T3 = "gamma__ccccccc";

/** By their started_at, the first attempt at T1 would be the latest. */
const ROLLOUTS: readonly Rollout[] = [
  { id: serverId("1"), job: JOB_A, trial: T1, startedAt: "2026-11-01T11:00:00Z", reward: 0, isLatest: false },
  { id: serverId("2"), job: JOB_A, trial: T1, startedAt: "2026-11-01T10:00:00Z", reward: 1, isLatest: true },
  { id: serverId("3"), job: JOB_A, trial: T2, startedAt: null, reward: null, isLatest: true },
  { id: serverId("4"), job: JOB_B, trial: T3, startedAt: "2026-11-01T10:30:00Z", reward: 1, isLatest: true },
];

/** A project that holds a server's data folder; the database is closed after the test. */
function makeServer(journal: "DELETE" | "WAL" = "WAL", rollouts = ROLLOUTS) {
  const project = makeFolder(servedFiles(".harbor/files", rollouts), "project");
  const data = join(project, ".harbor");
  const db = openServerDatabase(data, rollouts, journal);
  onTestFinished(() => {
    db.close();
  });
  return { project, data, db };
}

function describeJobs(folder: string) {
  const { jobs, issues } = readCatalog({ roots: [folder] });
  return {
    jobs: jobs
      .map(({ job, trials }) => ({
        name: job.name,
        state: job.state,
        trials: trials.map(({ trialName, attempt, outcome }) => `${trialName} ${attempt} ${outcome}`),
        nRetried: job.lostWork.find(({ kind }) => kind === "retried")?.n ?? 0,
        nPlanned: job.planned?.count,
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    issues: issues.map(({ code }) => code),
  };
}

const AS_RECORDED = {
  jobs: [
    { name: "run a", state: "finished", trials: [`${T1} 1 passed`], nRetried: 1, nPlanned: 2 },
    { name: "run b", state: "finished", trials: [`${T3} 1 passed`], nRetried: 0, nPlanned: 1 },
  ],
  // The trial is still queued.
  issues: ["trial_folder_missing"],
};

const AS_FOLDERS_SAY = {
  jobs: [
    { name: JOB_A, state: "unknown", trials: [`${T1} 1 failed`], nRetried: 1, nPlanned: 2 },
    { name: JOB_B, state: "unknown", trials: [`${T3} 1 passed`], nRetried: 0, nPlanned: 1 },
  ],
  issues: ["trial_folder_missing", "server_database_unreadable"],
};

it("jobs and retries are those of the database, from the project, its data folder and a folder above", () => {
  const { project, data } = makeServer();
  for (const folder of [project, data, dirname(project)])
    expect(describeJobs(folder), folder).toEqual(AS_RECORDED);
});

it("an attempt that the server threw away is an earlier attempt of its trial's page", async () => {
  const { data } = makeServer();
  expect(await readEarlierAttempts(join(data, "files/rollouts", serverId("2"), T1))).toEqual([
    { name: serverId("1"), outcome: "reward 0" },
  ]);
  expect(await readEarlierAttempts(join(data, "files/rollouts", serverId("4"), T3))).toEqual([]);
});

it("a database with a log is read in a read-only folder, and nothing is written there", () => {
  const { data, db } = makeServer();
  // Without the shared index SQLite itself could not open it here.
  const copy = makeFolder({});
  for (const name of ["harbor.sqlite3", "harbor.sqlite3-wal"])
    writeFileSync(join(copy, name), readFileSync(join(data, name)));
  db.close();
  writeFiles(copy, servedFiles("files", ROLLOUTS));
  const listTimes = (folder: string) =>
    readdirSync(folder).map((name) => `${name} ${statSync(join(folder, name), { bigint: true }).mtimeNs}`);
  const before = [listTimes(copy), listTimes(dirname(copy))];
  expect(describeJobs(copy)).toEqual(AS_RECORDED);
  expect([listTimes(copy), listTimes(dirname(copy))]).toEqual(before);
  for (const path of [dirname(copy), copy]) {
    chmodSync(path, 0o555);
    onTestFinished(() => chmodSync(path, 0o700));
  }
  dropRights();
  expect(describeJobs(copy)).toEqual(AS_RECORDED);
});

it("what another program has not committed does not count", () => {
  const { data, db } = makeServer();
  db.pragma("cache_size = 1");
  db.exec(
    "BEGIN IMMEDIATE; UPDATE internal_job SET name = 'changed', config = '\"' || hex(zeroblob(100000)) || '\"'",
  );
  expect(statSync(join(data, "harbor.sqlite3-wal")).size).toBeGreaterThan(200_000);
  expect(describeJobs(data)).toEqual(AS_RECORDED);
  db.exec("COMMIT");
  expect(describeJobs(data).jobs.map(({ name }) => name)).toEqual(["changed", "changed"]);
});

it.each<[string, (data: string, db: Database.Database) => void]>([
  ["locked", (_, db) => db.exec("BEGIN EXCLUSIVE; UPDATE internal_job SET name = 'changed'")],
  [
    "cut off",
    (data) =>
      writeFileSync(
        join(data, "harbor.sqlite3"),
        readFileSync(join(data, "harbor.sqlite3")).subarray(0, 9_000),
      ),
  ],
  ["overwritten", (data) => writeFileSync(join(data, "harbor.sqlite3"), "not a database")],
  ["empty", (data) => writeFileSync(join(data, "harbor.sqlite3"), "")],
  ["of another program", (_, db) => db.exec("DROP TABLE internal_rollout")],
  ["of a newer Harbor", (_, db) => db.exec("PRAGMA user_version = 2")],
  [
    "made to run for ever",
    (_, db) =>
      db.exec(`ALTER TABLE internal_job RENAME TO other;
        CREATE VIEW internal_job AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n`),
  ],
  [
    "made to compute",
    (_, db) =>
      db.exec("ALTER TABLE internal_job ADD COLUMN x TEXT GENERATED ALWAYS AS (hex(zeroblob(100000000)))"),
  ],
])(
  "of a database that is %s the rollout folders say which attempt is the latest, and an issue says so",
  (_, spoil) => {
    const { data, db } = makeServer("DELETE");
    spoil(data, db);
    expect(describeJobs(data)).toEqual(AS_FOLDERS_SAY);
  },
);

it("a database that may not be read is reported as such, not as locked", () => {
  dropRights();
  const { data, db } = makeServer("DELETE");
  const readDetail = () =>
    readCatalog({ roots: [data] })
      .issues.map(({ detail }) => detail)
      .at(-1);
  chmodSync(join(data, "harbor.sqlite3"), 0);
  expect(describeJobs(data)).toEqual(AS_FOLDERS_SAY);
  const denied = readDetail();
  chmodSync(join(data, "harbor.sqlite3"), 0o600);
  db.exec("BEGIN EXCLUSIVE; UPDATE internal_job SET name = 'changed'");
  expect(readDetail()).not.toBe(denied);
});

it("a data folder without its database is still one", () => {
  const data = makeFolder(servedFiles("harbor-data", ROLLOUTS));
  expect(describeJobs(data)).toEqual(AS_FOLDERS_SAY);
});

it("ids of the database and links lead nowhere else", () => {
  const { project, data, db } = makeServer();
  const outside = join(dirname(project), "outside");
  writeFiles(outside, { "lock.json": { trials: [{}, {}, {}, {}] }, [`${T2}/result.json`]: {} });
  const evil = "../../../../outside";
  addRollout(db, {
    id: evil,
    job: evil,
    trial: evil,
    startedAt: "2026-11-01T10:00:00Z",
    reward: 1,
    isLatest: true,
  });
  db.prepare(
    "INSERT INTO internal_job (id, name, state, config, updated_at) VALUES (?, 'evil', 'finished', '{}', '')",
  ).run(evil);
  db.prepare("UPDATE internal_rollout SET job_id = ? WHERE id = ?").run(evil, serverId("4"));
  symlinkSync(outside, join(data, "files/rollouts", serverId("5")));
  mkdirSync(join(data, "files/rollouts/not-an-id"));
  const { jobs } = describeJobs(data);
  expect(jobs.find(({ name }) => name === evil)).toMatchObject({
    trials: [`${T3} 1 passed`],
    nPlanned: undefined,
  });
  expect(jobs.flatMap(({ trials }) => trials)).toHaveLength(2);
});

it("a commit of the server is noticed, and so is a new rollout", () => {
  const { data, db } = makeServer();
  const root = { index: 0, label: "x", path: data };
  const read = () => {
    const [discovered] = discoverJobs(root).jobs;
    if (discovered === undefined) throw new Error("no job");
    return readJob({ root, budget: new MemoryBudget(), nowMs: 0 }, discovered);
  };
  const source = describeSource(read());
  expect(isSourceUnchanged(root, source, 0)).toBe(true);
  const retry = { id: serverId("6"), job: JOB_A, trial: T1, startedAt: "2026-11-01T12:00:00Z", reward: 1 };
  addRollout(db, { ...retry, isLatest: true });
  expect(existsSync(join(data, "harbor.sqlite3-wal"))).toBe(true);
  expect(isSourceUnchanged(root, source, 0)).toBe(false);
  expect(read().drafts.map(({ trials }) => trials.length)).toEqual([0, 1]);
  writeFiles(data, servedFiles("files", [{ ...retry, isLatest: true }]));
  expect(read().drafts.map(({ trials }) => trials.map(({ folder }) => folder.split("/")[2]))).toEqual([
    [serverId("6")],
    [serverId("4")],
  ]);
});
