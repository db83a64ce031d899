import { rmSync } from "node:fs";
import { join } from "node:path";

import type { KyselyPlugin } from "kysely";
import { expect, it } from "vitest";

import { openAnnotationStore } from "@/lib/people/annotations";
import { describeQueries } from "@/lib/store/database/postgres.fixture";
import { forgetDerivedDetails, type IndexStore, nextGeneration } from "@/lib/store/tables";
import { jobFiles, makeFolder, writeFiles } from "@/lib/testing/folder.fixture";
import { indexFolders, openCounted } from "@/lib/testing/index.fixture";

import { readClusters } from "../clusters/clusters";
import { readTriageBase } from "./parts";

const ALPHA = { alpha__aaaaaaa: 0, beta__bbbbbbb: 0.25, gamma__ccccccc: 1 };
const FILES = {
  ...jobFiles("one", ALPHA),
  // The same trials again.
  ...jobFiles("copy", ALPHA),
  ...jobFiles("other", { alpha__ddddddd: 0, beta__eeeeeee: 1 }),
};

/** A store that remembers nothing of an earlier reading, and notes the jobs whose trials are read. */
function watch(store: IndexStore) {
  const read = new Set<unknown>();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      for (const row of result.rows) if ("taskName" in row || "clusterKey" in row) read.add(row["jobRowId"]);
      return Promise.resolve(result);
    },
  };
  return { watched: { ...store, db: store.db.withPlugin(plugin) }, read };
}

describeQueries("parts of triage", (engine) => {
  it("is read again of a job that changed, and of no other", async () => {
    const folder = makeFolder(FILES);
    const index = await indexFolders(engine, [folder]);
    const annotations = openAnnotationStore(await engine.freshTarget());
    const counted = await openCounted(index);
    const { watched, read } = watch(counted);
    const readAll = async (store: IndexStore) => {
      const base = await readTriageBase(store);
      const { clusters } = await readClusters(store, annotations);
      const nameOf = new Map(base.jobs.map(({ id, name }) => [id, name]));
      return {
        base,
        clusters,
        failed: base.failures
          .map(({ jobRowId, taskName }) => `${nameOf.get(jobRowId)} ${taskName}`)
          .toSorted(),
        nTrials: base.cells.reduce((sum, cell) => sum + cell.nTrials, 0),
        inClusters: clusters.reduce((sum, cluster) => sum + cluster.nTrials, 0),
      };
    };
    const namesRead = (base: Awaited<ReturnType<typeof readTriageBase>>) => {
      const names = base.jobs.flatMap(({ id, name }) => (read.has(id) ? name : [])).toSorted();
      read.clear();
      return names;
    };
    const settle = async () => {
      await index.refresh();
      await index.settle();
      const all = await readAll(watched);
      expect(all).toEqual(await readAll({ ...counted }));
      return all;
    };

    const first = await settle();
    expect(namesRead(first.base)).toEqual(["copy", "other"]);
    expect(first.failed).toEqual(["copy alpha", "copy beta", "other alpha"]);
    expect([first.nTrials, first.inClusters]).toEqual([5, 3]);

    writeFiles(folder, jobFiles("other", { alpha__ddddddd: 0, beta__eeeeeee: 0, delta__fffffff: 1 }));
    const changed = await settle();
    expect(namesRead(changed.base)).toEqual(["other"]);
    expect(changed.failed).toEqual([...first.failed, "other beta"]);
    expect([changed.nTrials, changed.inClusters]).toEqual([6, 4]);

    rmSync(join(folder, "copy"), { recursive: true });
    const left = await settle();
    // It counts in place of its copy.
    expect(namesRead(left.base)).toEqual(["one"]);
    expect(left.failed).toEqual(["one alpha", "one beta", "other alpha", "other beta"]);
    expect([left.nTrials, left.inClusters]).toEqual([6, 4]);

    // Until they are reclassified, their earlier classes count.
    await forgetDerivedDetails(index.store);
    const again = await readAll({ ...counted });
    expect(again.base.unclassified.size).toBe(2);
    expect([again.nTrials, again.failed]).toEqual([left.nTrials, left.failed]);
    await annotations.close();
  });

  it("never has half a job: its earlier state, or nothing", async () => {
    const many = { ...ALPHA, delta__fffffff: 1 };
    const index = await indexFolders(engine, [
      makeFolder({ ...jobFiles("one", many), ...jobFiles("two", ALPHA) }),
    ]);
    const { store } = index;
    const count = async (of: IndexStore) => {
      const { cells, failures, leftOut } = await readTriageBase(of);
      const nTrials = cells.reduce((sum, cell) => sum + cell.nTrials, 0);
      return { nTrials, nFailures: failures.length, nLeftOut: leftOut.size };
    };
    const whole = { nTrials: 7, nFailures: 4, nLeftOut: 0 };
    expect(await count(store)).toEqual(whole);
    // As a large job is before its last trials are classified, and as one is in which that failed.
    const [one] = await store.db.selectFrom("jobs").select("id").where("name", "=", "one").execute();
    const setRules = async (failureRules: string) => {
      const changes = { failureRules, version: Math.floor(Math.random() * 2 ** 40) };
      await store.db
        .updateTable("jobs")
        .set(changes)
        .where("id", "=", one?.id ?? 0)
        .execute();
      await nextGeneration(store);
    };
    await store.db
      .deleteFrom("trialFailures")
      .where("jobRowId", "=", one?.id ?? 0)
      .where("taskName", "=", "beta")
      .execute();
    await setRules("");
    expect(await count(store)).toEqual(whole);
    const half = { nTrials: 3, nFailures: 2, nLeftOut: 0 };
    expect(await count({ ...store })).toEqual(half);
    await setRules("some");
    expect(await count(store)).toEqual({ ...half, nLeftOut: 1 });
  });
});
