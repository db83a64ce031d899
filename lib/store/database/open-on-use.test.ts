import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";

import Database from "better-sqlite3";
import type { Migration } from "kysely/migration";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

import { openOnUse } from "./index";
import { freshSqlite } from "./postgres.fixture";
import type { SqliteTarget } from "./target";

interface Tables {
  note: { readonly text: string };
}

const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "001_note": {
    up: (db) => db.schema.createTable("note").addColumn("text", "text").execute(),
  },
};

let target: SqliteTarget;

beforeEach(() => {
  target = freshSqlite();
});

function openNotes() {
  const store = openOnUse<Tables>(target, () => MIGRATIONS);
  onTestFinished(() => store.close());
  return {
    add: (text: string) =>
      store.write(async ({ db }) => {
        await db.insertInto("note").values({ text }).execute();
      }),
    list: () =>
      store.read<readonly string[]>([], async ({ db }) =>
        (await db.selectFrom("note").select("text").execute()).map((row) => row.text),
      ),
    close: store.close,
  };
}

/** The file's content, read by another program. */
function readFile(path = target.file): unknown[] {
  const file = new Database(path, { readonly: true });
  try {
    return file.prepare("SELECT text FROM note").pluck().all();
  } finally {
    file.close();
  }
}

/** Writes over the file without making another one, as `cp` and `>` do. */
function overwrite(bytes: Buffer): void {
  writeFileSync(target.file, bytes);
}

describe("a file that is damaged while it is open", () => {
  it.each<[string, () => void]>([
    ["emptied", () => truncateSync(target.file, 0)],
    ["overwritten with something else", () => overwrite(Buffer.alloc(32_000, "garbage "))],
    ["cut off", () => truncateSync(target.file, 4096)],
    ["cut off within its first page", () => truncateSync(target.file, 10)],
    ["replaced by something else", () => replaceBy(Buffer.alloc(32_000, "garbage "))],
    ["removed", () => rmSync(target.file)],
  ])("%s takes no save and stays as it is, also when the program ends", async (_, damage) => {
    const notes = openNotes();
    await notes.add("kept");
    expect(await notes.list()).toEqual(["kept"]);
    damage();
    const before = existsSync(target.file) ? readFileSync(target.file) : null;
    await expect(notes.add("lost")).rejects.toMatchObject({ code: "store_corrupt" });
    await expect(notes.list()).rejects.toMatchObject({ code: "store_corrupt" });
    await expect(notes.add("lost again")).rejects.toMatchObject({ code: "store_corrupt" });
    await notes.close();
    expect(existsSync(target.file) ? readFileSync(target.file) : null).toEqual(before);
    expect(readdirSync(dirname(target.file))).toEqual(before === null ? [] : [basename(target.file)]);
  });

  it.each<[string, (backup: string) => void]>([
    ["renamed", (backup) => renameSync(backup, target.file)],
    ["copied", (backup) => copyFileSync(backup, target.file)],
  ])("and a backup %s into its place is what is read and saved to from then on", async (_, restore) => {
    const notes = openNotes();
    await notes.add("first");
    const backup = `${target.file}.backup`;
    copyFileSync(target.file, backup);
    for (let at = 0; at < 50; at += 1) await notes.add(`to be undone ${String(at)}`);
    restore(backup);
    expect(await notes.list()).toEqual(["first"]);
    await notes.add("second");
    expect(await notes.list()).toEqual(["first", "second"]);
    expect(readFile()).toEqual(["first", "second"]);
    await notes.close();
    expect(readFile()).toEqual(["first", "second"]);
  });

  function replaceBy(bytes: Buffer): void {
    writeFileSync(`${target.file}.new`, bytes);
    renameSync(`${target.file}.new`, target.file);
  }
});

describe("a file of a release that kept a log next to it", () => {
  function writeOldFile(): Database.Database {
    mkdirSync(dirname(target.file), { recursive: true });
    const old = new Database(target.file);
    old.pragma("journal_mode = WAL");
    old.pragma("application_id = 1095975257");
    old.pragma("user_version = 1");
    old.exec("CREATE TABLE note (text TEXT); CREATE TABLE kysely_migration (name TEXT, timestamp TEXT)");
    old.exec("CREATE TABLE kysely_migration_lock (id TEXT, is_locked INTEGER)");
    old.exec("INSERT INTO kysely_migration VALUES ('001_note', '')");
    old.exec("INSERT INTO note VALUES ('old')");
    return old;
  }

  it("keeps what is in the log, and has none any more, also when two programs open it at once", async () => {
    const old = writeOldFile();
    const copies = ["", "-wal"].map((end) => [end, readFileSync(target.file + end)] as const);
    old.close();
    for (const [end, bytes] of copies) writeFileSync(target.file + end, bytes);
    const both = [openNotes(), openNotes()];
    expect(await Promise.all(both.map((notes) => notes.list()))).toEqual([["old"], ["old"]]);
    await both[0]?.add("new");
    expect(await both[1]?.list()).toEqual(["old", "new"]);
    expect(readdirSync(dirname(target.file))).toEqual([basename(target.file)]);
  });

  it("takes nothing of a log into a file that is no database", async () => {
    const old = writeOldFile();
    const log = readFileSync(`${target.file}-wal`);
    old.close();
    const garbage = Buffer.alloc(32_000, "garbage ");
    overwrite(garbage);
    writeFileSync(`${target.file}-wal`, log);
    const notes = openNotes();
    await expect(notes.list()).rejects.toMatchObject({ code: "store_corrupt" });
    await notes.close();
    expect(readFileSync(target.file).equals(garbage)).toBe(true);
    expect(readFileSync(`${target.file}-wal`).equals(log)).toBe(true);
  });

  it("is left alone while the older program has it open", async () => {
    target = { ...target, busyTimeoutMs: 30 };
    const old = writeOldFile();
    const notes = openNotes();
    await expect(notes.list()).rejects.toMatchObject({ code: "store_locked" });
    old.exec("INSERT INTO note VALUES ('still works')");
    old.close();
    expect(await notes.list()).toEqual(["old", "still works"]);
  });
});
