import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { readCatalog } from "@/lib/read/catalog";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  type FolderFiles,
  jobResult,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";
import { dumpIndex, indexFolders, openCounted } from "@/lib/testing/index.fixture";

import { type IndexStore, readHead, readJobCopies, readTotals, readUncountedCopies } from "./index";

const UUID = "11111111-1111-4111-8111-111111111111";
const ALPHA = "alpha__aaaaaaa";
const BETA = "beta__bbbbbbb";

/** A job of two trials, with rows in every table that lists read. */
function makeJob(
  name: string,
  uuid: string | null,
  rewards: Readonly<Record<string, number | null>>,
): FolderFiles {
  const config = (trial: string) => ({
    task: { path: `tasks/${trial}` },
    agent: { name: "heron", model_name: "lab/heron" },
    ...(uuid === null ? {} : { job_id: uuid }),
  });
  const results: FolderFiles = Object.fromEntries(
    Object.entries(rewards).map(([trial, reward]) => [
      `${name}/${trial}/result.json`,
      trialResult(trial, reward ?? 0, {
        id: `id of ${trial}`,
        config: config(trial),
        ...(reward === null ? { exception_info: makeException() } : {}),
      }),
    ]),
  );
  return {
    ...results,
    [`${name}/result.json`]: jobResult({}, uuid === null ? { id: null } : { id: uuid }),
    ...(ALPHA in rewards ? makeFiles(`${name}/${ALPHA}`) : {}),
  };
}

function makeFiles(trial: string) {
  return {
    [`${trial}/verifier/reward-details.json`]: {
      correctness: { score: 0.5, criteria: [{ name: "size", value: 0.5, weight: 1 }] },
    },
    [`${trial}/agent/trajectory.json`]: {
      schema_version: "ATIF-v1.6",
      session_id: "s",
      agent: { name: "heron", version: "1" },
      steps: [{ step_id: 1, source: "agent", message: "I saw a heron." }],
    },
  };
}

function makeException() {
  return {
    exception_type: "RiverError",
    exception_message: "The river ran dry",
    exception_traceback: "",
    occurred_at: "2026-05-01T17:05:00",
  };
}

const JOB = makeJob("run", UUID, { [ALPHA]: 1, [BETA]: null });

async function readCounted(store: IndexStore) {
  const trials = await store.db.selectFrom("trials").select("trialName").orderBy("trialName").execute();
  const jobs = await store.db.selectFrom("jobs").select("key").orderBy("key").execute();
  return { jobs: jobs.map(({ key }) => key), trials: trials.map(({ trialName }) => trialName) };
}

async function readFamily(store: IndexStore, key: string) {
  const job = await readHead(store, key);
  return job === null ? null : readJobCopies(store, job.rowId);
}

describeEngines("a job that is open twice", (engine) => {
  it("is in every table of the store that lists ask as if it were open once", async () => {
    const original = makeFolder(JOB);
    const backup = makeFolder({}, "backup");
    cpSync(original, backup, { recursive: true });
    const twice = await indexFolders(engine, [original, backup]);
    const counted = await dumpIndex(await openCounted(twice));
    const alone = await dumpIndex((await indexFolders(engine, [original])).store);
    const { roots: _, sources: __, copies, ...tables } = counted;
    expect(alone).toMatchObject(tables);
    expect(copies).toHaveLength(2);
    expect(Object.values(tables).filter((rows) => rows.length > 0).length).toBeGreaterThan(12);
    expect(await readTotals(twice.store)).toMatchObject({ nJobs: 2, nTrials: 4 });
  });

  it("says which copy counts, and how the others differ", async () => {
    const original = makeFolder(JOB);
    writeFiles(original, makeJob("changed", UUID, { [ALPHA]: 0, [BETA]: null }));
    writeFiles(original, makeJob("part", UUID, { [ALPHA]: 1 }));
    const { store } = await indexFolders(engine, [original]);
    expect(await readFamily(store, "part")).toMatchObject([
      { key: "changed", isCounted: true, nDifferent: 0 },
      { key: "part", isCounted: false, nDifferent: 2 },
      { key: "run", isCounted: false, nDifferent: 1 },
    ]);
    const { copies, total } = await readUncountedCopies(store);
    expect([total, copies.map(({ key, isCounted }) => [key, isCounted])]).toEqual([
      2,
      expect.arrayContaining([
        ["part", false],
        ["run", false],
      ]),
    ]);
    expect(copies).toHaveLength(2);
  });
});

describeEngines("of several copies of a job", (engine) => {
  it("the one with the most finished trials counts, also once it is no longer there or hidden", async () => {
    const old = makeFolder(makeJob("old", UUID, { [ALPHA]: 1 }));
    const whole = makeFolder(makeJob("run", UUID, { [ALPHA]: 1, [BETA]: null }), "whole");
    const index = await indexFolders(engine, [old, whole]);
    const all = { jobs: ["run"], trials: [ALPHA, BETA] };
    expect(await readCounted(await openCounted(index))).toEqual(all);
    const hidden = await openCounted(index, [{ position: 0, except: [] }]);
    expect(await readCounted(hidden)).toEqual({ jobs: ["old"], trials: [ALPHA] });
    expect(await readFamily(hidden, "old")).toEqual([]);
    const only = await openCounted(index, [{ position: 1, except: [] }]);
    expect(await readCounted(only)).toEqual(all);
    rmSync(join(whole, "run"), { recursive: true });
    await index.refresh();
    expect(await readCounted(index.store)).toEqual({ jobs: ["old"], trials: [ALPHA] });
    expect(await index.store.db.selectFrom("copies").selectAll().execute()).toEqual([]);
  });

  it("one that was copied while its only trial ran does not count", async () => {
    const files = {
      ...JOB,
      "early/result.json": jobResult({}, { id: UUID }),
      ...makeFiles(`early/${ALPHA}`),
    };
    const index = await indexFolders(engine, [makeFolder(files)]);
    expect(await readCounted(await openCounted(index))).toEqual({ jobs: ["run"], trials: [ALPHA, BETA] });
  });

  it("none is taken for a copy that shares an id and no trial", async () => {
    const files = { ...makeJob("one", UUID, { [ALPHA]: 1 }), ...makeJob("two", UUID, { [BETA]: 0 }) };
    const index = await indexFolders(engine, [makeFolder(files)]);
    expect(await readCounted(await openCounted(index))).toEqual({
      jobs: ["one", "two"],
      trials: [ALPHA, BETA],
    });
  });

  it("a trial of another job that was copied into a job counts where it was run", async () => {
    const other = "22222222-2222-4222-8222-222222222222";
    const files = {
      ...makeJob("a thief", other, { gamma__ccccccc: 1, delta__ddddddd: 1, epsilon__eeeeeee: 1 }),
      ...JOB,
    };
    const folder = makeFolder(files);
    cpSync(join(folder, "run", ALPHA), join(folder, "a thief", ALPHA), { recursive: true });
    const index = await indexFolders(engine, [folder]);
    const counted = await openCounted(index);
    const rows = await counted.db
      .selectFrom("trials")
      .innerJoin("jobs", "jobs.id", "trials.jobRowId")
      .select("jobs.key")
      .where("trialName", "=", ALPHA)
      .execute();
    expect(rows).toEqual([{ key: "run" }]);
  });

  it.each([
    ["without a start", { started_at: null, finished_at: "2026-06-01T17:00:00Z" }, "b"],
    ["with a time without a zone", { finished_at: "2026-06-01T17:00:00" }, "b"],
    ["that ended before it started", { started_at: "2026-05-02T17:00:00Z" }, "a"],
  ])("the index and the catalog count the same one next to a trial %s", async (_, times, counted) => {
    const folder = makeFolder({
      "a/result.json": jobResult({}, { id: UUID }),
      [`a/${ALPHA}/result.json`]: trialResult(ALPHA, 1, times),
      "b/result.json": jobResult({}, { id: UUID }),
      [`b/${ALPHA}/result.json`]: trialResult(ALPHA, 1, { finished_at: "2026-05-01T17:20:00Z" }),
    });
    const { jobs } = readCatalog({ roots: [folder] });
    expect(jobs.map(({ job }) => job.folder)).toEqual([counted]);
    const index = await indexFolders(engine, [folder]);
    expect((await readCounted(await openCounted(index))).jobs).toEqual([counted]);
  });
});
