import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { readCatalog } from "@/lib/read/catalog";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  type FolderFiles,
  jobFiles,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";
import { dumpIndex, indexFolders } from "@/lib/testing/index.fixture";

import { type IndexStore, listJobIds, readPlannedTasks, readTrials } from "./index";
import { EVERY_TRIAL } from "./read/selection.fixture";

/** Two attempts, one failed, at a task with the same name as in other folders. */
function makeTask(folder: string, digest: string): FolderFiles {
  const jobs = [1, 0].map((reward, index) => {
    const trial = `alpha__${digest}${index}`;
    const job = `${folder}/jobs/run-${index}`;
    const result = trialResult(trial, reward, { task_checksum: digest.repeat(8) });
    return { ...jobFiles(job, { [trial]: reward }, { id: job }), [`${job}/${trial}/result.json`]: result };
  });
  return Object.assign({}, ...jobs) as FolderFiles;
}

const FIRST = makeTask("first", "aaaaaa");
const SECOND = makeTask("second", "bbbbbb");

async function readNames(store: IndexStore, table: "tasks" | "trials" | "trialFailures") {
  const rows = await store.db.selectFrom(table).select("taskName").execute();
  return rows.map(({ taskName }) => taskName).toSorted();
}

const A = "a".repeat(64);
const B = "b".repeat(64);

/** One job that ran two versions of a task, as its lock planned. */
function makeMixedJob(): FolderFiles {
  const rewards = { alpha__aaaaaa0: 1, alpha__bbbbbb0: 0, alpha__bbbbbb1: 0, beta__cccccc0: 1 };
  const results = Object.entries(rewards).map(([trial, reward]) => {
    const over = { task_checksum: trial.slice(-7, -6).repeat(64) };
    return [`run/${trial}/result.json`, trialResult(trial, reward, over)];
  });
  const planned = [A, B, B].map((digest) => ({ task: { name: "alpha", digest: `sha256:${digest}` } }));
  return {
    ...jobFiles("run", rewards, { id: "run" }),
    ...(Object.fromEntries(results) as FolderFiles),
    "run/lock.json": JSON.stringify({ schema_version: 1, trials: planned }),
  };
}

describeEngines("versions of a task that one job ran", (engine) => {
  it("are separate tasks in the index, the catalog and the plan", async () => {
    const root = makeFolder(makeMixedJob());
    const { store } = await indexFolders(engine, [root]);
    const [one, other] = ["alpha (aaaaaaaaaa)", "alpha (bbbbbbbbbb)"];
    expect(await readNames(store, "tasks")).toEqual([one, other, "beta"]);
    expect(await readNames(store, "trials")).toEqual([one, other, other, "beta"]);
    const tasks = await store.db
      .selectFrom("tasks")
      .select(["taskName", "nTrials", "nPassed"])
      .orderBy("position")
      .execute();
    expect(tasks).toEqual([
      { taskName: one, nTrials: 1, nPassed: 1 },
      { taskName: other, nTrials: 2, nPassed: 0 },
      { taskName: "beta", nTrials: 1, nPassed: 1 },
    ]);
    const [job] = readCatalog({ roots: [root] }).jobs;
    expect(job?.trials.map(({ taskName }) => taskName).toSorted()).toEqual([one, other, other, "beta"]);
    const { id } = await store.db.selectFrom("jobs").select("id").executeTakeFirstOrThrow();
    for (const plan of [await readPlannedTasks(store, id), job?.job.plannedTasks ?? []])
      expect(plan.map(({ taskName, nTrials }) => [taskName, nTrials])).toEqual([
        [one, 1],
        [other, 2],
      ]);
  });

  it("filter the list of jobs by their labels", async () => {
    const { store } = await indexFolders(engine, [makeFolder({ ...makeMixedJob(), ...FIRST })]);
    const list = (text: string) =>
      listJobIds(store, { text, isReports: false, facets: {} }, { by: "finished", descending: true });
    expect([(await list("ALPHA (aaaa")).length, (await list("alpha")).length]).toEqual([1, 3]);
  });
});

describeEngines("tasks of one name in two folders", (engine) => {
  it("have a label in every table, as in the catalog", async () => {
    const root = makeFolder({ ...FIRST, ...SECOND });
    const { store } = await indexFolders(engine, [root]);
    const labels = ["alpha (first)", "alpha (first)", "alpha (second)", "alpha (second)"];
    expect(await readNames(store, "tasks")).toEqual(labels);
    expect(await readNames(store, "trials")).toEqual(labels);
    expect(await readNames(store, "trialFailures")).toEqual(["alpha (first)", "alpha (second)"]);
    const clusters = await store.db.selectFrom("failureEvidence").select("clusterScope").execute();
    expect(clusters.map(({ clusterScope }) => clusterScope).toSorted()).toEqual([
      "alpha (first)",
      "alpha (second)",
    ]);
    const { jobs } = readCatalog({ roots: [root] });
    expect(jobs.flatMap(({ trials }) => trials.map(({ taskName }) => taskName)).toSorted()).toEqual(labels);
    const found = { ...EVERY_TRIAL, text: "(second)" };
    const listed = await readTrials(
      store,
      null,
      found,
      { by: "task", descending: false },
      { from: 0, limit: 9 },
    );
    expect(listed.rows.map(({ trial }) => trial.taskName)).toEqual(["alpha (second)", "alpha (second)"]);
  });

  it("get and lose their labels as folders come and go", async () => {
    const root = makeFolder(FIRST);
    const index = await indexFolders(engine, [root]);
    const alone = await dumpIndex(index.store);
    expect(await readNames(index.store, "trials")).toEqual(["alpha", "alpha"]);
    writeFiles(root, SECOND);
    await index.refresh();
    await index.settle();
    expect(await dumpIndex(index.store)).toEqual(await dumpIndex((await indexFolders(engine, [root])).store));
    expect(await readNames(index.store, "trials")).toContain("alpha (first)");
    rmSync(join(root, "second"), { recursive: true });
    await index.refresh();
    await index.settle();
    expect(await dumpIndex(index.store)).toEqual(alone);
  });
});
