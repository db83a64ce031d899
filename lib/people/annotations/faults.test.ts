import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";

import { runCli } from "@/lib/cli/run-cli";
import type { Annotation } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import { openDatabase, type DatabaseTarget } from "@/lib/store/database";
import { describeEngines, startOwnPostgres } from "@/lib/store/database/postgres.fixture";
import { mountDisk, remount } from "@/lib/testing/disk.fixture";
import { dropRights, makeFolder } from "@/lib/testing/folder.fixture";

import { importAnnotations } from "./exchange/import";
import { type AnnotationStore, createAnnotation, listAll, openAnnotationStore, prepareExport } from "./index";
import { NO_ACTOR } from "./owner";
import { subjectOf } from "./queues/queue.fixture";

let nSaved = 0;

/** Saves a judgment of a reviewer of its own and gives its id. */
async function save(store: AnnotationStore, notes = "n"): Promise<string> {
  nSaved += 1;
  const draft = {
    reviewerId: `R${nSaved}`,
    reviewerDiscipline: null,
    judgment: "pass",
    categories: [],
    notes,
  };
  return (await createAnnotation(store, { subject: subjectOf(1), draft, baseVersionId: null })).versionId;
}

async function listIds(store: AnnotationStore): Promise<ReadonlySet<string>> {
  const trials = await listAll(store);
  return new Set(
    trials.flatMap(({ chains }) => chains.flatMap(({ versions }) => versions.map((one) => one.versionId))),
  );
}

/** Checks that everything that was confirmed is there, in the open store and after opening it again. */
async function expectKept(
  store: AnnotationStore,
  target: DatabaseTarget,
  confirmed: readonly string[],
): Promise<void> {
  const anew = open(target);
  for (const one of [store, anew]) {
    const stored = await listIds(one);
    expect(confirmed.filter((id) => !stored.has(id))).toEqual([]);
  }
}

function open(target: DatabaseTarget): AnnotationStore {
  const store = openAnnotationStore(target);
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** Saves until one is refused, and gives what was confirmed before and the refusal. */
async function saveUntilRefused(store: AnnotationStore, notes = "n") {
  const confirmed: string[] = [];
  for (;;) {
    try {
      confirmed.push(await save(store, notes));
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { confirmed, error };
    }
  }
}

describe("judgments that are saved while", () => {
  it("the disk runs full are kept as far as they were confirmed, and go on with space", async (context) => {
    const disk = mountDisk("size=600k");
    if (disk === null) return context.skip("no right to mount a disk");
    const target = {
      engine: "sqlite",
      file: join(disk, "data", "annotations.sqlite"),
      synchronous: "EXTRA",
    } as const;
    const store = open(target);
    const { confirmed, error } = await saveUntilRefused(store, "n".repeat(15_000));
    expect(confirmed.length).toBeGreaterThan(2);
    expect(error).toMatchObject({ code: "store_full" });
    expect(error.message).toMatch(/is full.*Free some space and try again/);
    await expectKept(store, target, confirmed);
    remount(disk, "size=5m");
    confirmed.push(await save(store));
    await expectKept(store, target, confirmed);
  });

  it("the data folder becomes read-only can be read, and go on once it is writable again", async () => {
    dropRights();
    const data = makeFolder({});
    const target = {
      engine: "sqlite",
      file: join(data, "annotations.sqlite"),
      synchronous: "EXTRA",
    } as const;
    const store = open(target);
    const confirmed = [await save(store), await save(store)];
    chmodSync(data, 0o555);
    onTestFinished(() => chmodSync(data, 0o755));
    const refused = await saveUntilRefused(store);
    expect(refused.confirmed).toEqual([]);
    expect(refused.error).toMatchObject({ code: "store_read_only" });
    expect(refused.error.message).toMatch(/cannot be written.*Give Assay write permission/);
    await expectKept(store, target, confirmed);
    chmodSync(data, 0o755);
    confirmed.push(await save(store));
    await expectKept(store, target, confirmed);
  });

  it("PostgreSQL ends as in a power cut are kept as far as they were confirmed, and go on once it is back", async () => {
    const server = await startOwnPostgres();
    const target = { engine: "postgres", url: server.url, schema: "assay" } as const;
    const store = open(target);
    const writers = [0, 1, 2].map(() => saveUntilRefused(store));
    // In the middle of the saves of three: once some of them are there.
    while ((await listIds(store)).size < 10);
    await server.end();
    const ended = await Promise.all(writers);
    const confirmed = ended.flatMap((one) => one.confirmed);
    for (const { error } of ended) {
      expect(error).toMatchObject({ code: "store_unavailable" });
      expect(error.message).toMatch(
        /^The database .* (?:cannot be opened|does not answer|is starting or stopping)/,
      );
    }
    await expect(save(store)).rejects.toMatchObject({ code: "store_unavailable" });
    await server.startAgain();
    confirmed.push(await save(store));
    await expectKept(store, target, confirmed);
  });
});

describeEngines("a store", (engine) => {
  it("that a newer Assay migrates while an older one uses it refuses the older one, and loses nothing", async () => {
    const target = await engine.freshTarget();
    const store = open(target);
    const confirmed = [await save(store), await save(store)];
    const newer = await openDatabase(target);
    const table = sql.table("kysely_migration");
    await sql`insert into ${table} (name, timestamp) values ('999_later', '2027')`.execute(newer.db);
    const { error, confirmed: more } = await saveUntilRefused(store);
    expect(more).toEqual([]);
    expect(error).toMatchObject({ code: "store_too_new" });
    expect(error.message).toMatch(/newer Assay \(999_later\)\. Update Assay/);
    // As an update of the older program would find it.
    await sql`delete from ${table} where name = '999_later'`.execute(newer.db);
    await newer.close();
    confirmed.push(await save(store));
    await expectKept(store, target, confirmed);
  });

  it("keeps the order of judgments when the clock is set back, here and where they are imported", async () => {
    const store = open(await engine.freshTarget());
    const hours = [12, 11, 3];
    let head: string | null = null;
    for (const [nth, hour] of hours.entries()) {
      const draft = {
        reviewerId: "Ana",
        reviewerDiscipline: null,
        judgment: "pass",
        categories: [],
        notes: `${nth}`,
      };
      const at = new Date(Date.UTC(2026, 0, 2, hour));
      const saved: Annotation = await createAnnotation(
        store,
        { subject: subjectOf(1), draft, baseVersionId: head },
        at,
      );
      head = saved.versionId;
    }
    const lines = [...(await prepareExport(store, { history: true })).lines];
    const other = open(await engine.freshTarget());
    const files = [{ name: "in.jsonl", bytes: lines.map((one) => Buffer.from(one)) }];
    expect(await importAnnotations(other, files, { isDryRun: false, actor: NO_ACTOR })).toMatchObject({
      nErrors: 0,
    });
    for (const one of [store, other]) {
      const [trial] = await listAll(one);
      expect(trial?.chains[0]).toMatchObject({ headVersionId: head, current: { notes: "2", version: 3 } });
    }
  });
});

it("a backup onto a full disk is refused with what is missing, and leaves no half of one", async (context) => {
  const disk = mountDisk("size=200k");
  if (disk === null) return context.skip("no right to mount a disk");
  const data = mountDisk("size=5m");
  if (data === null) return context.skip("no right to mount a disk");
  const store = open({ engine: "sqlite", file: join(data, "annotations.sqlite"), synchronous: "EXTRA" });
  await save(store);
  await store.close();
  const ballast = join(disk, "ballast");
  expect(() => writeFileSync(ballast, Buffer.alloc(1_000_000))).toThrow("ENOSPC");
  const run = async () => {
    let said = "";
    const stream = { write: (text: string) => ((said += text), true), once: () => undefined };
    const code = await runCli(["backup", join(disk, "assay.backup")], {
      ...{ stdout: stream, stderr: stream, env: { ASSAY_DATA: data } },
    });
    return { code, said };
  };
  const full = await run();
  expect(full.code).toBe(2);
  expect(full.said).toMatch(/full|no space/i);
  expect(readdirSync(disk)).toEqual(["ballast"]);
  rmSync(ballast);
  expect((await run()).code).toBe(0);
  expect(existsSync(join(disk, "assay.backup"))).toBe(true);
});
