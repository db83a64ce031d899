import Database from "better-sqlite3";

import type { ListedObject } from "./client";

export type Rank = "record" | "other";

export interface KnownObject extends ListedObject {
  readonly held: string;
}

interface ListingCounts {
  readonly nObjects: number;
  readonly nRecordsMissing: number;
  readonly nOthersMissing: number;
  readonly othersMissingBytes: number;
  readonly heldBytes: number;
}

interface Row {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly modified: number;
  readonly held: string;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS objects(
  key TEXT PRIMARY KEY, size INTEGER NOT NULL, etag TEXT NOT NULL, modified INTEGER NOT NULL, is_record INTEGER NOT NULL,
  listing INTEGER NOT NULL, held TEXT NOT NULL DEFAULT '', tried INTEGER NOT NULL DEFAULT 0, used INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS missing ON objects(is_record, modified DESC, key) WHERE held <> etag;
CREATE INDEX IF NOT EXISTS evictable ON objects(used, key) WHERE held <> '' AND is_record = 0;
CREATE TABLE IF NOT EXISTS facts(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;`;

/** The file can be deleted at any time together with its mirror. @throws SQLite's `SQLITE_BUSY` if another process has it open */
export class Listing {
  private readonly db: Database.Database;
  private listing: number;

  constructor(file: string) {
    this.db = new Database(file, { timeout: 0 });
    // Held until closed: two processes must not fetch into one folder.
    this.db.pragma("locking_mode = EXCLUSIVE");
    this.db.pragma("journal_mode = WAL");
    this.db.pragma("synchronous = NORMAL");
    this.db.exec(SCHEMA);
    this.listing = Number(this.readFact("listing") ?? "0");
  }

  close(): void {
    this.db.close();
  }

  get isComplete(): boolean {
    return this.readFact("complete") === "1";
  }

  markComplete(): void {
    this.writeFact("complete", "1");
  }

  /** Resumes an interrupted listing. Returns the key to continue after; empty for the beginning. */
  begin(): string {
    const after = this.readFact("after");
    if (after !== null) return after;
    this.listing++;
    this.writeFact("listing", String(this.listing));
    this.writeFact("after", "");
    return "";
  }

  findChanged(objects: readonly ListedObject[]): readonly KnownObject[] {
    const find = this.db.prepare<[string], Row>(
      "SELECT key, size, etag, modified, held FROM objects WHERE key = ?",
    );
    return objects.flatMap((object) => {
      const known = find.get(object.key);
      const isSame = known?.etag === object.etag && known.size === object.size;
      return isSame ? [] : [{ ...object, held: known?.held ?? "" }];
    });
  }

  note(objects: readonly (ListedObject & { readonly rank: Rank })[]): void {
    const put = this.db.prepare(
      `INSERT INTO objects(key, size, etag, modified, is_record, listing) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT(key) DO UPDATE SET size = excluded.size, etag = excluded.etag, modified = excluded.modified,
         is_record = excluded.is_record, listing = excluded.listing`,
    );
    this.db.transaction(() => {
      for (const { key, size, etag, modifiedMs, rank } of objects)
        put.run(key, size, etag, modifiedMs, rank === "record" ? 1 : 0, this.listing);
      const last = objects.at(-1)?.key;
      if (last !== undefined) this.writeFact("after", last);
    })();
  }

  /** Yields batches of keys that were not seen in this listing, then deletes their rows. */
  *end(): Generator<readonly string[]> {
    this.db.prepare("DELETE FROM facts WHERE name = 'after'").run();
    const select = this.db.prepare<[number], { key: string }>(
      "SELECT key FROM objects WHERE listing <> ? LIMIT 10000",
    );
    const remove = this.db.prepare("DELETE FROM objects WHERE key = ?");
    for (;;) {
      const keys = select.all(this.listing).map(({ key }) => key);
      if (keys.length === 0) return;
      yield keys;
      this.db.transaction(() => {
        for (const key of keys) remove.run(key);
      })();
    }
  }

  listMissing(rank: Rank, most: number, mostBytes = Number.MAX_SAFE_INTEGER): readonly KnownObject[] {
    return this.select(
      "held <> etag AND is_record = ? AND tried < ? AND size <= ? ORDER BY modified DESC, key LIMIT ?",
      [rank === "record" ? 1 : 0, this.listing, mostBytes, most],
    );
  }

  /** Includes objects already tried. Smallest first. @param folder - a key prefix that ends with `/` */
  listMissingBelow(folder: string, most: number): readonly KnownObject[] {
    return this.select("held <> etag AND key > ? AND key < ? ORDER BY size LIMIT ?", [
      folder,
      `${folder.slice(0, -1)}0`, // The character behind the slash.
      most,
    ]);
  }

  listEvictable(most: number): readonly KnownObject[] {
    return this.select("held <> '' AND is_record = 0 ORDER BY used, key LIMIT ?", [most]);
  }

  setHeld(key: string, held: string, nowMs: number): void {
    this.db.prepare("UPDATE objects SET held = ?, used = ? WHERE key = ?").run(held, nowMs, key);
  }

  setTried(key: string): void {
    this.db.prepare("UPDATE objects SET tried = ? WHERE key = ?").run(this.listing, key);
  }

  touchBelow(folder: string, nowMs: number): void {
    this.db
      .prepare("UPDATE objects SET used = ? WHERE held <> '' AND key > ? AND key < ?")
      .run(nowMs, folder, `${folder.slice(0, -1)}0`);
  }

  count(): ListingCounts {
    const row = this.db
      .prepare<[], Record<keyof ListingCounts, number | null>>(
        `SELECT count(*) AS nObjects,
           sum(held <> etag AND is_record = 1) AS nRecordsMissing,
           sum(held <> etag AND is_record = 0) AS nOthersMissing,
           total(CASE WHEN held <> etag AND is_record = 0 THEN size ELSE 0 END) AS othersMissingBytes,
           total(CASE WHEN held <> '' THEN size ELSE 0 END) AS heldBytes
         FROM objects`,
      )
      .get();
    return {
      nObjects: row?.nObjects ?? 0,
      nRecordsMissing: row?.nRecordsMissing ?? 0,
      nOthersMissing: row?.nOthersMissing ?? 0,
      othersMissingBytes: row?.othersMissingBytes ?? 0,
      heldBytes: row?.heldBytes ?? 0,
    };
  }

  private select(where: string, values: readonly (string | number)[]): readonly KnownObject[] {
    return this.db
      .prepare<unknown[], Row>(`SELECT key, size, etag, modified, held FROM objects WHERE ${where}`)
      .all(...values)
      .map(({ modified, ...row }) => ({ ...row, modifiedMs: modified }));
  }

  private readFact(name: string): string | null {
    const row = this.db
      .prepare<[string], { value: string }>("SELECT value FROM facts WHERE name = ?")
      .get(name);
    return row?.value ?? null;
  }

  private writeFact(name: string, value: string): void {
    this.db
      .prepare("INSERT INTO facts VALUES (?, ?) ON CONFLICT(name) DO UPDATE SET value = excluded.value")
      .run(name, value);
  }
}
