import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";

import { describe, expect, it } from "vitest";

import { createAnnotation, openAnnotationStore, resolveAnnotationTarget } from "@/lib/people/annotations";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  type IndexStore,
  readAllTrials,
  readHead,
  readIndexState,
  readIssues,
  readJobs,
  readRoots,
  readTrial,
} from "@/lib/store/tables";
import { jobFiles, jobResult, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";

import { Indexer } from "./indexer";
import type { OpenIndex } from "./open-index";
import { SourceReader } from "./reader";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

async function listJobs(store: IndexStore) {
  const sort = { by: "finished", descending: true } as const;
  return (await readJobs(store, { text: "", isReports: false, facets: {} }, sort, { from: 0, limit: 1000 }))
    .rows;
}

/** Name, outcome and the reward file of every trial of every job. */
async function tellTrials(store: IndexStore): Promise<string[]> {
  const lines: string[] = [];
  for (const { rowId: id } of await listJobs(store)) {
    for (const { trialName, outcome, rewardFile } of await readAllTrials(store, id)) {
      const reward = rewardFile.kind === "read" ? Number(rewardFile.rewards?.get("reward")) : "-";
      lines.push(`${trialName} ${outcome} ${reward}`);
    }
  }
  return lines;
}

async function listCodes(store: IndexStore): Promise<string[]> {
  return (await readIssues(store, { limit: 1000 })).issues.map(({ code }) => code);
}

/** Refreshes and tells how many trials were read for it. */
async function countRead(index: OpenIndex): Promise<number> {
  let most = 0;
  const stop = index.subscribe(({ nTrialsToRead }) => (most = Math.max(most, nTrialsToRead)));
  await index.refresh();
  stop();
  expect(index.status()).toMatchObject({ phase: "current", isComplete: true, failure: null });
  return most;
}

/** A second refresh finds nothing to do, and a fresh index of the folders is the same row for row. */
async function expectSettled(index: OpenIndex, roots: readonly string[], now?: () => number): Promise<void> {
  const versions = (await listJobs(index.store)).map(({ version }) => version);
  const { generation } = index.status();
  expect(await countRead(index)).toBe(0);
  expect(index.status().generation).toBe(generation);
  expect((await listJobs(index.store)).map(({ version }) => version)).toEqual(versions);
  expect(await dumpIndex(index.store)).toEqual(await dumpFresh(roots, now === undefined ? {} : { now }));
}

const CHANGES: readonly [name: string, change: (folder: string) => void, trials: readonly string[]][] = [
  [
    "a reward file that is edited",
    (folder) => writeFiles(folder, { [`run/${A}/verifier/reward.txt`]: "0.25\n" }),
    [`${A} passed 0.25`, `${B} failed 0`],
  ],
  [
    "a reward file that takes the place of another",
    (folder) => {
      rmSync(`${folder}/run/${A}/verifier/reward.txt`);
      writeFiles(folder, { [`run/${A}/verifier/reward.json`]: '{"reward": 0.5}' });
    },
    [`${A} passed 0.5`, `${B} failed 0`],
  ],
  [
    "a reward file that is deleted",
    (folder) => rmSync(`${folder}/run/${A}/verifier/reward.txt`),
    [`${A} passed -`, `${B} failed 0`],
  ],
  [
    "a result that is rewritten",
    (folder) => writeFiles(folder, { [`run/${B}/result.json`]: trialResult(B, 1) }),
    [`${A} passed 1`, `${B} passed 0`],
  ],
  [
    "a result that is replaced by one of the same size and time",
    (folder) => {
      const file = `${folder}/run/${B}/result.json`;
      const stamp = new Date("2026-06-01T00:00:00Z");
      utimesSync(file, stamp, stamp);
      const text = readFileSync(file, "utf8").replace('"reward": 0', '"reward": 1');
      writeFileSync(`${file}.new`, text);
      utimesSync(`${file}.new`, stamp, stamp);
      renameSync(`${file}.new`, file);
    },
    [`${A} passed 1`, `${B} passed 0`],
  ],
  [
    "a trial that is deleted",
    (folder) => rmSync(`${folder}/run/${B}`, { recursive: true }),
    [`${A} passed 1`],
  ],
  [
    "a trial that appears",
    (folder) => writeFiles(folder, { "run/gamma__ccccccc/result.json": trialResult("gamma__ccccccc", 1) }),
    [`${A} passed 1`, `${B} failed 0`, "gamma__ccccccc passed -"],
  ],
  [
    "a folder that is renamed",
    (folder) => renameSync(`${folder}/run/${B}`, `${folder}/run/zeta__zzzzzzz`),
    [`${A} passed 1`, `${B} failed 0`],
  ],
  [
    "a result that is being written",
    (folder) => appendFileSync(`${folder}/run/${B}/result.json`, "{"),
    [`${A} passed 1`, `${B} unreadable 0`],
  ],
  [
    "a result that is cut short",
    (folder) => writeFileSync(`${folder}/run/${B}/result.json`, '{"task_name": "be'),
    [`${A} passed 1`, `${B} unreadable 0`],
  ],
  [
    "a result that is empty so far",
    (folder) => writeFileSync(`${folder}/run/${B}/result.json`, ""),
    [`${A} passed 1`, `${B} unreadable 0`],
  ],
  ["a job that is deleted", (folder) => rmSync(`${folder}/run`, { recursive: true }), []],
  [
    "a job that is renamed",
    (folder) => renameSync(`${folder}/run`, `${folder}/walk`),
    [`${A} passed 1`, `${B} failed 0`],
  ],
];

const SEEN_AT_START: ReadonlySet<string> = new Set([
  "a result that is replaced by one of the same size and time",
  "a reward file that is edited",
  "a folder that is renamed",
]);

describe("a refresh", () => {
  it("reads nothing of an unchanged tree, in this run and in the next", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const data = makeDataFolder();
    const first = await openHere([folder], data);
    expect(await countRead(first)).toBe(2);
    await expectSettled(first, [folder]);
    const versions = (await listJobs(first.store)).map(({ version }) => version);
    await first.close();

    const second = await openHere([folder], data);
    // Usable before the first scan.
    expect(await tellTrials(second.store)).toEqual([`${A} passed 1`, `${B} failed 0`]);
    expect(await countRead(second)).toBe(0);
    expect(second.status().generation).toBe(first.status().generation);
    expect((await listJobs(second.store)).map(({ version }) => version)).toEqual(versions);
    await expectSettled(second, [folder]);
  });

  it.each(CHANGES)("sees %s", async (_, change, trials) => {
    const folder = makeFolder({ ...jobFiles("run", { [A]: 1, [B]: 0 }), "note.txt": "" });
    const index = await openHere([folder], makeDataFolder());
    await index.refresh();
    const before = index.status().generation;
    change(folder);
    await index.refresh();
    expect(index.status().generation).toBeGreaterThan(before);
    expect(await tellTrials(index.store)).toEqual(trials);
    await expectSettled(index, [folder]);
  });

  // What a start finds is looked at as above: in every run one change of a file's bytes alone, and one of names.
  it.each(CHANGES.filter(([name]) => IS_LONG_RUN || SEEN_AT_START.has(name)))(
    "sees %s while the program was not running",
    async (_, change, trials) => {
      const folder = makeFolder({ ...jobFiles("run", { [A]: 1, [B]: 0 }), "note.txt": "" });
      const longAgo = new Date("2026-01-01T00:00:00Z");
      utimesSync(`${folder}/run`, longAgo, longAgo);
      const data = makeDataFolder();
      const first = await openHere([folder], data);
      await first.refresh();
      await first.close();
      change(folder);
      const second = await openHere([folder], data);
      await second.refresh();
      expect(await tellTrials(second.store)).toEqual(trials);
      await expectSettled(second, [folder]);
    },
  );

  it("sees changes in a folder that has been quiet for long", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const longAgo = new Date("2026-01-01T00:00:00Z");
    utimesSync(`${folder}/run`, longAgo, longAgo);
    const index = await openHere([folder], makeDataFolder());
    await index.refresh();
    expect(await countRead(index)).toBe(0);
    const outcomes = async () => (await tellTrials(index.store)).map((line) => line.split(" ")[1]).join(" ");
    writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 0) });
    expect([await countRead(index), await outcomes()]).toEqual([2, "failed failed"]);
    writeFiles(folder, { "run/gamma__ccccccc/result.json": trialResult("gamma__ccccccc", 1) });
    expect([await countRead(index), await outcomes()]).toEqual([3, "failed failed passed"]);
    rmSync(`${folder}/run/${B}`, { recursive: true });
    expect([await countRead(index), await outcomes()]).toEqual([2, "failed passed"]);
    await expectSettled(index, [folder]);
  });

  it("leaves the other jobs alone when one changes", async () => {
    const folder = makeFolder({
      ...jobFiles("one", { [A]: 1 }),
      ...jobFiles("two", { [B]: 1 }, { id: "other" }),
    });
    const index = await openHere([folder], makeDataFolder());
    await index.refresh();
    const before = await readHead(index.store, "one");
    writeFiles(folder, { [`two/${B}/verifier/reward.txt`]: "0" });
    expect(await countRead(index)).toBe(1);
    expect(await readHead(index.store, "one")).toBe(before);
    await expectSettled(index, [folder]);
  });

  it("sees a root that comes to be, vanishes and comes back", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const later = `${folder}-later`;
    const index = await openHere([folder, later], makeDataFolder());
    const count = async () =>
      (await readRoots(index.store)).map(({ nJobs, nTrials }) => `${nJobs}/${nTrials}`);
    await index.refresh();
    expect(await count()).toEqual(["1/1", "0/0"]);
    expect(await listCodes(index.store)).toEqual(["folder_unreadable", "no_jobs_found"]);
    mkdirSync(later);
    cpSync(`${folder}/run`, `${later}/run`, { recursive: true });
    await index.refresh();
    expect(await count()).toEqual(["1/1", "1/1"]);
    renameSync(later, `${folder}/../away`);
    await index.refresh();
    expect(await count()).toEqual(["1/1", "0/0"]);
    await expectSettled(index, [folder, later]);
    renameSync(`${folder}/../away`, later);
    await index.refresh();
    expect(await count()).toEqual(["1/1", "1/1"]);
    await expectSettled(index, [folder, later]);
    rmSync(folder, { recursive: true });
    await index.refresh();
    expect(await count()).toEqual(["0/0", "1/1"]);
  });

  it("turns a quiet job from running to interrupted without a write, in this run and in the next", async () => {
    const stats = { n_running_trials: 1, evals: {} };
    const over = { finished_at: null, updated_at: "2026-05-01T11:59:00Z", n_total_trials: 2, stats };
    const folder = makeFolder({
      "run/result.json": jobResult({ [A]: 1 }, over),
      [`run/${A}/config.json`]: { trial_name: A, trials_dir: "run", task: {} },
    });
    const written = new Date("2026-05-01T11:59:00Z");
    utimesSync(`${folder}/run/result.json`, written, written);
    let nowMs = Date.parse("2026-05-01T12:00:00Z");
    const now = () => nowMs;
    const data = makeDataFolder();
    const index = await openHere([folder], data, { now });
    const read = async (store: IndexStore) => [
      (await listJobs(store)).map((job) => job.state),
      await tellTrials(store),
    ];
    await index.refresh();
    expect(await read(index.store)).toEqual([["running"], [`${A} running -`]]);
    await expectSettled(index, [folder], now);
    const unread = await openHere([folder], makeDataFolder(), { now });
    await unread.refresh();
    nowMs += 48 * 3600 * 1000;
    await index.refresh();
    expect(await read(index.store)).toEqual([["interrupted"], [`${A} missing -`]]);
    await expectSettled(index, [folder], now);
    await unread.refresh();
    expect(await dumpIndex(unread.store)).toEqual(await dumpIndex(index.store));
  });

  it("lists jobs before their trials are read, and says that they are not", async () => {
    const folder = makeFolder({
      ...jobFiles("one", { [A]: 1 }),
      ...jobFiles("two", { [B]: 1 }, { id: "two" }),
    });
    const { store, roots } = await openHere([folder], makeDataFolder());
    const reader = new SourceReader(store);
    const seen: string[] = [];
    const listed: unknown[] = [];
    const indexer = new Indexer({
      store,
      roots,
      summation: "cpython-3.12",
      withDerivedDetails: true,
      dataFolder: "",
      now: Date.now,
      onStatus: ({ phase }) => {
        if (seen.at(-1) !== phase) seen.push(phase);
      },
      executor: {
        run: async (request, onTrials) => {
          if (request.kind === "check") return true;
          if (request.kind !== "read") return reader.run(request, onTrials);
          const { generation } = await readIndexState(store);
          const jobs = await listJobs(store);
          listed.push(generation, jobs.map(({ name, isRead, nTrials }) => [name, isRead, nTrials]).sort());
          await new Promise((settle) => setImmediate(settle));
          return reader.run(request, onTrials);
        },
      },
    });
    await indexer.scan();
    expect(listed.slice(0, 2)).toEqual([
      1,
      [
        ["one", false, 1],
        ["two", false, 1],
      ],
    ]);
    expect(seen).toEqual(["finding", "checking", "reading", "current"]);
    expect((await listJobs(store)).every(({ isRead }) => isRead)).toBe(true);
  });

  it("never touches what reviewers wrote", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1, [B]: 0 }));
    const data = makeDataFolder();
    const annotations = openAnnotationStore(resolveAnnotationTarget({ ASSAY_DATA: data }));
    const names = {
      trialName: A,
      jobName: "run",
      rootLabel: "jobs",
      taskName: "alpha",
      agent: "orca",
      model: "m1",
    };
    const subject = {
      ...names,
      trialId: `id-of-${A}`,
      jobUuid: null,
      outcomeSeen: "passed",
      rewardSeen: "1",
    } as const;
    const draft = {
      reviewerId: "Ada",
      reviewerDiscipline: null,
      judgment: "fail",
      categories: ["Wrong"],
      notes: null,
    };
    await createAnnotation(annotations, { subject, draft, baseVersionId: null });
    await annotations.close();
    const hash = () =>
      createHash("sha256")
        .update(readFileSync(`${data}/annotations.sqlite`))
        .digest("hex");
    const before = hash();
    const index = await openHere([folder], data);
    await index.refresh();
    writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 0) });
    await index.refresh();
    await index.close();
    expect(hash()).toBe(before);
  });
});

describe("keys and names", () => {
  it("tells roots of one name apart, and reports ids that two jobs have", async () => {
    const one = makeFolder(jobFiles("run", { [A]: 1 }));
    const two = makeFolder(jobFiles("run", { [A]: 1, [B]: 1 }, { id: "b" }));
    const index = await openHere([one, two, one], makeDataFolder());
    await index.refresh();
    const roots = await readRoots(index.store);
    expect(roots).toHaveLength(2);
    expect(new Set(roots.map(({ label }) => label)).size).toBe(2);
    expect(new Set((await listJobs(index.store)).map((job) => job.key)).size).toBe(2);
    expect(await listCodes(index.store)).toEqual(["trial_id_repeated"]);
    rmSync(`${two}/run/${A}`, { recursive: true });
    writeFiles(two, { "run/result.json": jobResult({ [B]: 1 }) });
    await index.refresh();
    expect(await listCodes(index.store)).toEqual(["job_id_repeated"]);
    rmSync(`${one}/run`, { recursive: true });
    await index.refresh();
    expect(await listCodes(index.store)).toEqual(["no_jobs_found"]);
    await expectSettled(index, [one, two]);
  });

  it("finds jobs by either form of their key, and never guesses", async () => {
    const folder = makeFolder(jobFiles("x/run", { [A]: 1 }));
    const index = await openHere([folder], makeDataFolder());
    const find = async (key: string) => (await readHead(index.store, key)) ?? null;
    await index.refresh();
    expect(await find("run")).toMatchObject({ key: "run", folder: "x/run" });
    writeFiles(folder, jobFiles("y/run", { [B]: 1 }, { id: "second" }));
    await index.refresh();
    const jobs = (await listJobs(index.store)).map((job) => job);
    expect(jobs.map(({ key }) => key).every((key) => /^run~[0-9a-f]{6}$/.test(key))).toBe(true);
    expect(await find("run")).toBeNull();
    const hashed = jobs.find((job) => job.folder === "x/run")?.key ?? "";
    expect(await find(hashed)).toMatchObject({ folder: "x/run" });
    rmSync(`${folder}/y`, { recursive: true });
    await index.refresh();
    expect(await find(hashed)).toMatchObject({ key: "run", folder: "x/run" });
    expect(await find("run~000000")).toBeNull();
    expect(await find(hashed.toUpperCase())).toBeNull();
    const job = await readHead(index.store, "run");
    expect((await readTrial(index.store, job?.rowId ?? 0, A))?.trial.trialName).toBe(A);
    expect(await readTrial(index.store, job?.rowId ?? 0, "nobody")).toBeNull();
    await expectSettled(index, [folder]);
  });

  it("keeps the second of two jobs that share a folder apart, however they change", async () => {
    const inside = (jobUuid: string, name: string) =>
      trialResult(name, 1, {
        config: { trial_name: name, task: { path: "t" }, agent: { name: "orca" }, job_id: jobUuid },
      });
    const own = "11111111-1111-4111-8111-111111111111";
    const folder = makeFolder({
      "run/result.json": jobResult({ [A]: 1 }),
      [`run/${A}/result.json`]: inside(own, A),
      [`run/${B}/result.json`]: inside("22222222-2222-4222-8222-222222222222", B),
    });
    const index = await openHere([folder], makeDataFolder());
    await index.refresh();
    expect((await listJobs(index.store)).map(({ name, nTrials }) => [name, nTrials])).toEqual([
      ["run", 1],
      ["run", 1],
    ]);
    await expectSettled(index, [folder]);
    writeFiles(folder, { [`run/${B}/result.json`]: inside("33333333-3333-4333-8333-333333333333", B) });
    await index.refresh();
    await expectSettled(index, [folder]);
    writeFiles(folder, { [`run/${B}/result.json`]: inside(own, B) });
    await index.refresh();
    expect((await listJobs(index.store)).map(({ key, nTrials }) => [key, nTrials])).toEqual([["run", 2]]);
    await expectSettled(index, [folder]);
  });
});

describeEngines("an index", (engine) => {
  it("follows adds, changes and deletions", async () => {
    const folder = makeFolder({
      ...jobFiles("one", { [A]: 1 }),
      ...jobFiles("two", { [B]: 1 }, { id: "two" }),
    });
    const index = await indexFolders(engine, [folder]);
    writeFiles(folder, {
      ...jobFiles("three", { [A]: 0 }, { id: "three" }),
      [`one/${A}/result.json`]: trialResult(A, 0),
    });
    rmSync(`${folder}/two`, { recursive: true });
    await index.refresh();
    expect(index.status().failure).toBeNull();
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
    await index.refresh();
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
  });
});
