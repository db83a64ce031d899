import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";

import { StoreError } from "@/lib/core/domain/app-error";
import { startOwnPostgres } from "@/lib/store/database/postgres.fixture";
import {
  DERIVE_VERSION,
  LEASE_MS,
  readTotals,
  resolveIndexTarget,
  returnLease,
  takeLease,
} from "@/lib/store/tables";
import { mountDisk, remount } from "@/lib/testing/disk.fixture";
import { jobFiles, makeFolder, trialResult, writeFiles } from "@/lib/testing/folder.fixture";
import { dumpFresh, dumpIndex, makeDataFolder, openHere } from "@/lib/testing/index.fixture";
import { IS_LONG_RUN } from "@/lib/testing/plan-runs";
import { writeSyntheticJobs } from "@/lib/testing/synthetic";

import { openIndex, type OpenIndex } from "./open-index";

const A = "alpha__aaaaaaa";
const B = "beta__bbbbbbb";

const TABLES = [
  "sources",
  "jobs",
  "groups",
  "groupSettings",
  "trials",
  "trialRecords",
  "tasks",
  "figures",
  "issues",
  "jobTexts",
  "facets",
  "trialDimensions",
  "trialTags",
  "trialChecks",
  "suspicions",
  "dimensions",
  "tags",
] as const;

/** Possible states of a program that restarted, when it ended. */
async function emptyIndex({ store }: OpenIndex): Promise<void> {
  for (const table of TABLES) await store.db.deleteFrom(table).execute();
}

async function countTrials({ store }: OpenIndex): Promise<number> {
  return (await readTotals(store)).nTrials;
}

function findIndexFile(data: string): string {
  const [name] = readdirSync(data).filter((one) => /^index-.*\.sqlite$/.test(one));
  if (name === undefined) throw new Error("there is no index");
  return join(data, name);
}

describe("where the index is kept", () => {
  it("may be full: that is reported, known data stays, and writing continues when there is space", async (context) => {
    const disk = mountDisk("size=1200k");
    if (disk === null) return context.skip("no right to mount a disk");
    const folder = makeFolder({});
    writeSyntheticJobs(join(folder, "first"), { trials: 20, jobs: 2, seed: 1 });
    const index = await openHere([folder], join(disk, "data"));
    await index.refresh();
    expect(index.status()).toMatchObject({ failure: null, notice: null });
    expect(await countTrials(index)).toBe(20);
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, "ballast"), Buffer.alloc(Math.max(0, bavail * bsize - 60_000)));
    writeSyntheticJobs(join(folder, "second"), { trials: 40, jobs: 1, seed: 2 });
    await index.refresh();
    expect(index.status().phase).toBe("failed");
    expect(index.status().failure).toMatch(
      /The disk of the database .* is full, or a write to it failed\. Free some space and try again\./,
    );
    // Everything that was read before is there.
    const { nTrials } = await readTotals(index.store);
    expect(nTrials).toBeGreaterThanOrEqual(20);
    remount(disk, "size=60m");
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
  });

  it("may be full before anything was kept", async (context) => {
    const disk = mountDisk("size=4k");
    if (disk === null) return context.skip("no right to mount a disk");
    writeFileSync(join(disk, "ballast"), Buffer.alloc(4096));
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const index = await openHere([folder], join(disk, "data"));
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(index.status().notice).toContain("is full");
    expect(await countTrials(index)).toBe(1);
  });

  it("may be read-only: the index is kept elsewhere, which is said, and gone after", async (context) => {
    const disk = mountDisk("size=1m");
    if (disk === null) return context.skip("no right to mount a disk");
    const data = join(disk, "data");
    mkdirSync(data);
    remount(disk, "ro");
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const index = await openIndex({ roots: [folder], environment: { ASSAY_DATA: data } });
    await index.refresh();
    const { notice, failure } = index.status();
    expect(failure).toBeNull();
    expect(notice).toContain("cannot be written");
    expect(notice).toContain(data);
    const elsewhere = /kept in (\S+)/.exec(notice ?? "")?.[1] ?? "";
    expect(existsSync(elsewhere)).toBe(true);
    expect(await countTrials(index)).toBe(1);
    await index.close();
    expect(existsSync(elsewhere)).toBe(false);
  });

  it("may become read-only while there is an index in it, which is still read", async (context) => {
    const disk = mountDisk("size=8m");
    if (disk === null) return context.skip("no right to mount a disk");
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const index = await openIndex({ roots: [folder], environment: { ASSAY_DATA: join(disk, "data") } });
    await index.refresh();
    await index.close();
    remount(disk, "ro");
    const next = await openHere([folder], join(disk, "data"));
    await next.refresh();
    expect(next.status()).toMatchObject({ phase: "current", failure: null });
    expect(next.status().notice).toContain("cannot be written");
    expect(await countTrials(next)).toBe(1);
  });

  it("may be a file", async () => {
    const data = makeDataFolder();
    writeFileSync(data, "not a folder");
    const index = await openHere([makeFolder(jobFiles("run", { [A]: 1 }))], data);
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(index.status().notice).toContain(data);
    expect(await countTrials(index)).toBe(1);
    expect(readFileSync(data, "utf8")).toBe("not a folder");
  });

  it("may be a server that is not there", async () => {
    const environment = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" };
    const failure = await openIndex({ roots: [makeFolder({})], environment }).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({ code: "store_unavailable" });
    expect(String(failure)).toMatch(/does not answer.*correct DATABASE_URL/);
  });

  it("may be a server that goes away, and comes back", async () => {
    const server = await startOwnPostgres();
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    const index = await openIndex({ roots: [folder], environment: { DATABASE_URL: server.url } });
    onTestFinished(() => index.close().catch(() => undefined));
    await index.refresh();
    expect(index.status().failure).toBeNull();
    writeFiles(folder, jobFiles("more", { [B]: 1 }, { id: "more" }));
    await server.end();
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "failed" });
    expect(index.status().failure).toMatch(/^The database .* (does not answer|cannot be opened)/);
    await server.startAgain();
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
  });
});

describe("an index file", () => {
  async function makeIndex() {
    const folder = makeFolder({});
    writeSyntheticJobs(folder, { trials: 8, jobs: 2, seed: 1 });
    const data = makeDataFolder();
    const index = await openHere([folder], data);
    await index.refresh();
    await index.close();
    return { folder, data, file: findIndexFile(data) };
  }

  const DAMAGES: readonly [string, (file: string) => void][] = [
    ["was cut off", (file) => truncateSync(file, Math.floor(statSync(file).size / 8192) * 4096 + 100)],
    ["is garbage", (file) => writeFileSync(file, Buffer.alloc(8192, "garbage!"))],
    ["is empty", (file) => writeFileSync(file, "")],
  ];
  it.each(DAMAGES.slice(0, IS_LONG_RUN ? undefined : 1))("that %s is made again", async (_, damage) => {
    const { folder, data, file } = await makeIndex();
    damage(file);
    let index = await openHere([folder], data);
    await index.refresh();
    if (index.status().failure !== null) {
      // Found only once it was used: the next start makes it again.
      expect(index.status().failure).toMatch(/is damaged\. Start Assay again/);
      await index.close();
      index = await openHere([folder], data);
      await index.refresh();
    }
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
  });

  it("with damaged pages says so and is made again at the next start", async () => {
    const { folder, data, file } = await makeIndex();
    const database = new Database(file);
    const page = Number(
      database.prepare("select rootpage from sqlite_schema where name = 'sources'").pluck().get(),
    );
    const size = Number(database.pragma("page_size", { simple: true }));
    database.close();
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (page - 1) * size, page * size);
    writeFileSync(file, bytes);
    const first = await openHere([folder], data);
    await first.refresh();
    expect(first.status().failure).toMatch(/is damaged\. Start Assay again/);
    await first.refresh();
    expect(first.status().failure).toMatch(/is damaged\. Start Assay again/);
    await first.close();
    const second = await openHere([folder], data);
    await second.refresh();
    expect(second.status()).toMatchObject({ phase: "current", failure: null });
    expect(await dumpIndex(second.store)).toEqual(await dumpFresh([folder]));
    expect(readdirSync(data).filter((name) => name.endsWith(".damaged"))).toEqual([]);
  });

  it("of another version of Assay is left alone", async () => {
    const { folder, data, file } = await makeIndex();
    const other = file.replace(`index-${DERIVE_VERSION}-`, `index-${DERIVE_VERSION + 1}-`);
    renameSync(file, other);
    const before = readFileSync(other);
    const index = await openHere([folder], data);
    await index.refresh();
    await index.close();
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(other).equals(before)).toBe(true);
  });

  it("is kept apart by what is opened", () => {
    const environment = { ASSAY_DATA: "/data" };
    const summation = "cpython-3.12";
    const scopes = [
      { roots: ["/a", "/b"], summation },
      { roots: ["/b", "/a"], summation },
      { roots: ["/a"], summation },
      { roots: ["/a", "/b"], summation: "sequential" },
    ];
    const files = scopes.map((scope) => JSON.stringify(resolveIndexTarget(scope, environment)));
    expect(new Set(files).size).toBe(scopes.length);
  });
});

describe("another program over the same folders", () => {
  const other = "elsewhere:1";
  const nobody = () => false;

  it("is followed while it writes, and its end noticed", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    let nowMs = 1_000_000;
    const index = await openHere([folder], makeDataFolder(), { now: () => nowMs });
    await index.refresh();
    // Long without a look, in which the other one took over, rewrote the index and ended.
    nowMs += 2 * LEASE_MS;
    await takeLease(index.store, other, nowMs, nobody);
    await index.refresh();
    expect(index.status().phase).toBe("following");
    writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 0) });
    await index.refresh();
    expect(index.status().phase).toBe("following");
    await emptyIndex(index);
    await returnLease(index.store, other);
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder], { now: () => nowMs }));
  });

  it("may have rewritten the index unseen between two looks", async () => {
    const folder = makeFolder({
      ...jobFiles("run", { [A]: 1 }),
      ...jobFiles("more", { [B]: 1 }, { id: "more" }),
    });
    let nowMs = 1_000_000;
    const data = makeDataFolder();
    const now = () => nowMs;
    const index = await openHere([folder], data, { now });
    await index.refresh();
    nowMs += 2 * LEASE_MS;
    await takeLease(index.store, other, nowMs, nobody);
    await emptyIndex(index);
    nowMs += 2 * LEASE_MS;
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder], { now }));
  });

  it("does not keep the right to write when the clock was set back", async () => {
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    let nowMs = Date.now();
    const index = await openHere([folder], makeDataFolder(), { now: () => nowMs });
    await takeLease(index.store, other, nowMs, nobody);
    nowMs -= 365 * 24 * 3600 * 1000;
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    nowMs -= 365 * 24 * 3600 * 1000;
    writeFiles(folder, { [`run/${A}/result.json`]: trialResult(A, 0) });
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder], { now: () => nowMs }));
  });
});

describe("folders", () => {
  it("may vanish while they are read", async () => {
    const folder = makeFolder({
      ...jobFiles("run", { [A]: 1, [B]: 1 }),
      ...jobFiles("stays", { [A]: 1 }, { id: "s" }),
    });
    const index = await openHere([folder], makeDataFolder());
    let isDone = false;
    index.subscribe(({ phase }) => {
      if (phase !== "reading" || isDone) return;
      isDone = true;
      rmSync(`${folder}/run`, { recursive: true });
    });
    await index.refresh();
    expect(isDone).toBe(true);
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    await index.refresh();
    expect(await dumpIndex(index.store)).toEqual(await dumpFresh([folder]));
  });

  it("may have any number of entries", async () => {
    const nEntries = IS_LONG_RUN ? 200_000 : 400;
    const folder = makeFolder(jobFiles("run", { [A]: 1 }));
    for (let index = 0; index < nEntries; index++) mkdirSync(`${folder}/run/task-${index}__abcdefg`);
    for (let index = 0; index < nEntries; index++) writeFileSync(`${folder}/run/file-${index}.txt`, "");
    const index = await openHere([folder], makeDataFolder());
    await index.refresh();
    await index.refresh();
    expect(index.status()).toMatchObject({ phase: "current", failure: null });
    expect(await countTrials(index)).toBe(nEntries + 1);
  });
});
