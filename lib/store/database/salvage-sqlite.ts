import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import Database from "better-sqlite3";

import type { SqliteTarget } from "./target";

export interface Salvage {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Unreadable ranges of numbers, inclusive, up to the highest known number. */
  readonly lost: readonly (readonly [first: number, last: number])[];
  /** Highest number ever assigned; null if unreadable, so that the extent of the loss is unknown. */
  readonly lastNumber: number | null;
}

const NOTHING: Salvage = { rows: [], lost: [], lastNumber: null };

const PARTS = ["", "-wal", "-journal"];

/** Minimum bytes of a row: bounds the row numbers by the file size if nothing else does. */
const SHORTEST_ROW = 64;

const HEADER_LENGTH = 100;
const PAGE_SIZE_AT = 16;
const PAGE_COUNT_AT = 28;
/** Limit of the size that a damaged header may state, in multiples of the file's length. */
const MOST_MISSING = 1_000;

/**
 * Returns the readable rows of a table of a damaged file, numbered by its column `seq`, and the unreadable ranges. Works on a copy.
 *
 * @param table - a trusted name: it goes into statements unquoted
 */
export function salvageSqlite({ file }: SqliteTarget, table: string): Salvage {
  const folder = mkdtempSync(join(tmpdir(), "assay-salvage-"));
  try {
    const copy = join(folder, "copy.sqlite");
    if (!existsSync(file)) return NOTHING;
    for (const end of PARTS) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
    fillUp(copy);
    const most = Math.ceil(measure(copy) / SHORTEST_ROW);
    return orElse(NOTHING, () => {
      const database = new Database(copy);
      try {
        return readRanges(database, table, most);
      } finally {
        database.close();
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Extends a truncated file to the length in its header: SQLite refuses to read it otherwise. */
function fillUp(file: string): void {
  const bytes = readFileSync(file);
  if (bytes.length < HEADER_LENGTH) return;
  const stated = bytes.readUInt16BE(PAGE_SIZE_AT) * bytes.readUInt32BE(PAGE_COUNT_AT);
  if (bytes.length < stated && stated <= bytes.length * MOST_MISSING) truncateSync(file, stated);
}

function measure(file: string): number {
  return PARTS.reduce((sum, end) => sum + (statSync(file + end, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function readRanges(database: Database.Database, table: string, most: number): Salvage {
  const read = database.prepare<[number, number], Record<string, unknown>>(
    `SELECT * FROM ${table} NOT INDEXED WHERE seq BETWEEN ? AND ? ORDER BY seq`,
  );
  const rows: Record<string, unknown>[] = [];
  const lost: [number, number][] = [];
  const visit = (first: number, last: number): void => {
    const found = orElse(null, () => read.all(first, last));
    if (found !== null) {
      rows.push(...found);
    } else if (first < last) {
      const middle = Math.floor((first + last) / 2);
      visit(first, middle);
      visit(middle + 1, last);
    } else {
      const before = lost.at(-1);
      if (before?.[1] === first - 1) before[1] = first;
      else lost.push([first, first]);
    }
  };
  const noted = orElse(null, () => readNotedLast(database, table));
  const end = Math.min(noted ?? most, most);
  if (end > 0) visit(1, end);
  rows.push(...orElse([], () => read.all(end + 1, Number.MAX_SAFE_INTEGER)));
  const lastRead = Number(rows.at(-1)?.["seq"] ?? 0);
  // A number that contradicts the file or its rows is damaged too.
  const lastNumber = noted !== null && lastRead <= noted && noted <= most ? noted : null;
  const lastKnown = lastNumber ?? lastRead;
  return {
    rows,
    lost: lost
      .filter(([first]) => first <= lastKnown)
      .map(([first, last]) => [first, Math.min(last, lastKnown)]),
    lastNumber,
  };
}

/** Reads the highest number that SQLite recorded as assigned; 0 when there is none. */
function readNotedLast(database: Database.Database, table: string): number | null {
  const last: unknown = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck().get(table);
  if (last === undefined) return 0;
  return typeof last === "number" ? last : null;
}

function orElse<T>(instead: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Database.SqliteError) return instead;
    throw error;
  }
}
