import { setImmediate } from "node:timers/promises";

import type Database from "better-sqlite3";
import { CompiledQuery, type Kysely } from "kysely";

export type ColumnValue = string | number | null;

/**
 * Inserts many rows inside the open transaction of `db`. The query builder and a statement per row would together cost more than
 * the insert.
 *
 * @param rows - each with a value for every column, in order; consumed lazily
 */
export type InsertRows<Tables> = (
  db: Kysely<Tables>,
  table: string & keyof Tables,
  columns: readonly string[],
  rows: Iterable<readonly ColumnValue[]>,
) => Promise<void>;

export function createSqliteInsert<Tables>(file: Database.Database): InsertRows<Tables> {
  const statements = new Map<string, Database.Statement<ColumnValue[]>>();
  return (_, table, columns, rows) => {
    const statement =
      statements.get(table) ?? file.prepare<ColumnValue[]>(writeInsert(table, columns, "", 1, () => "?"));
    statements.set(table, statement);
    for (const row of rows) statement.run(...row);
    return Promise.resolve();
  };
}

/** Rows per statement, since every statement is a round trip to the server. */
const MOST_ROWS = 64;

const KEEP_NUMBERS = "overriding system value";

export function createPostgresInsert<Tables>(): InsertRows<Tables> {
  return async (db, table, columns, rows) => {
    const insert = async (some: readonly (readonly ColumnValue[])[]): Promise<void> => {
      if (some.length === 0) return;
      const text = writeInsert(table, columns, KEEP_NUMBERS, some.length, (index) => `$${index + 1}`);
      await db.executeQuery(CompiledQuery.raw(text, some.flat()));
    };
    let waiting: (readonly ColumnValue[])[] = [];
    for (const row of rows) {
      if (waiting.push(row) < MOST_ROWS) continue;
      await insert(waiting);
      waiting = [];
    }
    await insert(waiting);
  };
}

function writeInsert(
  table: string,
  columns: readonly string[],
  overriding: string,
  nRows: number,
  formatMark: (index: number) => string,
): string {
  const width = columns.length;
  const lines = Array.from({ length: nRows }, (_, row) => {
    const marks = columns.map((__, column) => formatMark(row * width + column));
    return `(${marks.join(",")})`;
  });
  return `insert into "${table}" (${columns.map((name) => `"${name}"`).join(",")}) ${overriding} values ${lines.join(",")}`;
}

/**
 * Replaces what a column cannot hold by U+FFFD: NUL, which PostgreSQL refuses, and lone surrogates, which neither engine keeps.
 * Use it for columns that are searched, sorted and shown; data that must not change is stored as bytes or JSON.
 */
export function toColumnText(text: string): string {
  // Almost every text is valid, and there are a dozen per trial.
  if (text.isWellFormed() && !text.includes("\0")) return text;
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/**
 * Yields a list in parts with a pause between them, since SQLite blocks the process while it answers.
 *
 * @param nAtOnce - most items of a part, from 1
 */
export async function* takeTurns<Item>(
  list: readonly Item[],
  nAtOnce: number,
): AsyncGenerator<readonly Item[], void> {
  for (let start = 0; start < list.length; start += nAtOnce) {
    if (start > 0) await setImmediate();
    yield list.slice(start, start + nAtOnce);
  }
}
