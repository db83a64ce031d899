import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { readCatalog } from "@/lib/catalog";
import { describeEngines } from "@/lib/database/postgres.fixture";
import {
  type FolderFiles,
  jobFiles,
  makeFolder,
  trialResult,
  writeFiles,
} from "@/lib/testing/folder.fixture";
import { dumpIndex, indexFolders } from "@/lib/testing/index.fixture";

import { type IndexStore, readTrials } from "./index";
import { EVERY_TRIAL } from "./read/selection.fixture";

/** Two attempts at a task of the same name as those in other folders, one of which failed. */
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
