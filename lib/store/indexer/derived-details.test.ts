import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { discoverJobs } from "@/lib/read/loader";
import { describeEngines } from "@/lib/store/database/postgres.fixture";
import {
  addSource,
  type IndexStore,
  readDimensionPage,
  readFamilies,
  readHead,
  readIssues,
  readTagCounts,
  readTaggedKeys,
} from "@/lib/store/tables";
import { jobFiles, makeFolder, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, indexFolders, makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { DerivedDetailsRun, FailureRules } from "./derived-details-run";
import { Indexer } from "./indexer";
import { prepareFoundSource } from "./prepare-content";
import { SourceReader } from "./reader";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";
const FOUND = ["trialDimensions", "trialTags", "trialTests", "trialChecks", "suspicions"] as const;

async function readJob(store: IndexStore, name = "run") {
  const job = await readHead(store, name);
  if (job === null) throw new Error(`there is no job ${name}`);
  const families = await readFamilies(store, job.rowId);
  const pages = await Promise.all(
    families.map(({ name: family }) =>
      readDimensionPage(store, { jobRowId: job.rowId, family }, { from: 0, limit: 1000 }),
    ),
  );
  const shares = pages
    .flatMap(({ rows }) => rows)
    .map(({ name: dimension, cells }) => {
      const [cell] = cells.values();
      return [dimension, cell?.mean, cell?.n, cell?.nMissing];
    });
  return { head: job, shares };
}

describeEngines("derived-details", (engine) => {
  it("are in the index once it was refreshed: shares, tags and files that are broken", async () => {
    const folder = makeFolder({
      ...jobFiles("run", { [A]: 1, [B]: 0 }),
      [`run/${A}/verifier/details.json`]: {
        speed: 0.25,
        error_tags: ["slow", "slow", { category: "wrong unit", source: "human" }],
      },
      [`run/${B}/verifier/details.json`]: '{"speed": 0.',
      [`run/${B}/analysis.json`]: { checks: { slow: { outcome: "fail" } } },
    });
    const { store } = await indexFolders(engine, [folder]);
    const { head: job, shares } = await readJob(store);
    expect(job.hasDerivedDetails).toBe(true);
    expect(shares).toEqual([["speed", 0.25, 1, 0]]);
    const tags = await readTagCounts(store, job.rowId);
    const shown = tags.map(({ category, source, nTrials }) => `${category} ${source} ${nTrials}`);
    expect(new Set(shown)).toEqual(
      new Set([
        "null null 2",
        "slow null 2",
        "slow mechanical 1",
        "slow judge 1",
        "wrong unit null 1",
        "wrong unit human 1",
      ]),
    );
    expect([...(await readTaggedKeys(store, job.rowId, ["slow"]))].sort()).toEqual([A, B]);
    expect([...(await readTaggedKeys(store, job.rowId, ["wrong unit", "none"]))]).toEqual([A]);
    const { issues } = await readIssues(store, { limit: 10 });
    expect(issues).toMatchObject([{ code: "json_torn", path: `jobs/run/${B}/verifier/details.json` }]);
  });

  it("are a check of each trial that left something, and dimensions with the weights they state", async () => {
    const folder = makeFolder({
      ...jobFiles("run", { [A]: 1, [B]: 0 }),
      [`run/${A}/verifier/details.json`]: {
        room: { speed: { score: 1, max_score: 4, weight: 0.7 }, care: 0.5 },
      },
    });
    const { store } = await indexFolders(engine, [folder]);
    const checks = store.db.selectFrom("trialChecks").select(["position", "hasDetails"]).orderBy("position");
    expect(await checks.execute()).toEqual([{ position: 0, hasDetails: 1 }]);
    const rows = await store.db.selectFrom("trialDimensions").selectAll().orderBy("ordinal").execute();
    expect(rows.map(({ name, share, weight }) => [name, share, weight])).toEqual([
      ["room.speed", 0.25, 0.7],
      ["room.care", 0.5, null],
    ]);
  });

  it("are read again with the job, and gone with it", async () => {
    const folder = makeFolder({
      ...jobFiles("run", { [A]: 1, [B]: 0 }),
      [`run/${A}/verifier/details.json`]: { speed: 0.25 },
    });
    const index = await indexFolders(engine, [folder]);
    writeFiles(folder, { [`run/${A}/verifier/details.json`]: { speed: 1, care: 0.5, error_tags: ["odd"] } });
    utimesSync(join(folder, `run/${A}/result.json`), new Date(), new Date(Date.now() + 5000));
    await index.refresh();
    expect((await readJob(index.store)).shares).toEqual([
      ["speed", 1, 1, 0],
      ["care", 0.5, 1, 0],
    ]);
    rmSync(join(folder, "run"), { recursive: true });
    await index.refresh();
    for (const table of [...FOUND, "families", "dimensions", "tags"] as const) {
      expect(await index.store.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});

it("are read again on request: an analysis may be written after the result", async () => {
  const folder = makeFolder(jobFiles("run", { [A]: 1 }));
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  writeFiles(folder, { [`run/${A}/analysis.json`]: { checks: { cheat: { outcome: "fail" } } } });
  await index.refresh();
  const { head: job } = await readJob(index.store);
  expect(await readTagCounts(index.store, job.rowId)).toEqual([]);
  await index.rescan();
  expect([...(await readTaggedKeys(index.store, job.rowId, ["cheat"]))]).toEqual([A]);
  expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
});

it("of a file with very many dimensions are those of the first thousand, and an issue says so", async () => {
  const names = Array.from({ length: 100_000 }, (_, at) => [`d${at}`, 0.5] as const);
  const folder = makeFolder({
    ...jobFiles("run", { [A]: 1 }),
    [`run/${A}/verifier/details.json`]: Object.fromEntries(names),
  });
  const index = await openHere([folder], makeDataFolder());
  await index.refresh();
  const { head: job, shares } = await readJob(index.store);
  expect([job.hasDerivedDetails, shares.length, shares.at(-1)?.[0]]).toEqual([true, 1000, "d999"]);
  expect(await index.store.db.selectFrom("trialDimensions").selectAll().execute()).toHaveLength(1000);
  const { issues } = await readIssues(index.store, { limit: 10 });
  expect(issues).toMatchObject([
    { code: "dimensions_too_many", path: `jobs/run/${A}/verifier/details.json` },
  ]);
});

it("that could not be announced do not keep the folders from being scanned again", async () => {
  const folder = makeFolder(jobFiles("run", { [A]: 1 }));
  const { store, roots } = await openHere([folder], makeDataFolder());
  const reader = new SourceReader(store);
  const run = new DerivedDetailsRun({
    store,
    roots,
    rules: new FailureRules(null),
    dataFolder: "",
    mayWrite: () => Promise.resolve(true),
    onProgress: () => undefined,
    executor: {
      run: async (request, onTrials) => {
        const isDone = await reader.run(request, onTrials);
        if (request.kind === "derived-details") await store.db.schema.dropTable("meta").execute();
        return isDone;
      },
    },
  });
  const root = roots[0];
  if (root === undefined) throw new Error("no folder is open");
  const [discovered] = discoverJobs(root).jobs;
  if (discovered === undefined) throw new Error("no job was found");
  const id = await addSource(store, prepareFoundSource(root, discovered));
  const task = { sourceId: id, root, discovered, summation: "cpython-3.12", nowMs: Date.now() } as const;
  await reader.run({ kind: "read", task }, () => undefined);
  run.start();
  await run.settle();
  await run.stop();
});

it("belong to the trials that were read: a job that changes meanwhile is read again", async () => {
  const folder = makeFolder({
    ...jobFiles("run", { [A]: 1 }),
    [`run/${A}/verifier/details.json`]: { speed: 0.25 },
  });
  const { store, roots } = await openHere([folder], makeDataFolder());
  const reader = new SourceReader(store);
  let nReadings = 0;
  const indexer = new Indexer({
    store,
    roots,
    summation: "cpython-3.12",
    withDerivedDetails: true,
    dataFolder: "",
    now: Date.now,
    onStatus: () => undefined,
    executor: {
      run: async (request, onTrials) => {
        // Another version of the job is in the index by the time its files are read.
        if (request.kind === "derived-details" && nReadings++ === 0)
          await store.db.updateTable("jobs").set({ version: 1 }).execute();
        return reader.run(request, onTrials);
      },
    },
  });
  await indexer.scan();
  await indexer.settle();
  expect(nReadings).toBe(2);
  expect((await readJob(store)).shares).toEqual([["speed", 0.25, 1, 0]]);
  await indexer.release();
});

itLong()("of many trials come after the first generation, the job of an open page first", async () => {
  const list = (job: string) =>
    Object.fromEntries(Array.from({ length: 340 }, (_, at) => [`${job}${at}__aaaaaaa`, 1]));
  const folder = makeFolder({
    ...jobFiles("a", list("a")),
    ...jobFiles("b", list("b")),
    ...jobFiles("c", list("c")),
  });
  const index = await openHere([folder], makeDataFolder());
  const done: string[] = [];
  await index.scanIfDue();
  const heads = await index.store.db.selectFrom("jobs").select(["id", "name"]).orderBy("name").execute();
  const [oldest] = heads;
  if (oldest === undefined) throw new Error("no job was found");
  index.prioritise(oldest.id);
  const before = index.status().generation;
  expect((await readJob(index.store, oldest.name)).head.hasDerivedDetails).toBe(false);
  const stop = index.subscribe(({ nDerivedDetailsRead, nDerivedDetailsToRead }) =>
    done.push(`${nDerivedDetailsRead}/${nDerivedDetailsToRead}`),
  );
  await index.settle();
  stop();
  expect(done.at(-1)).toBe("0/0");
  expect(done).toContain("1020/1020");
  expect(index.status().generation).toBeGreaterThan(before);
});
