import { setImmediate } from "node:timers/promises";

import { CompiledQuery, type Kysely } from "kysely";

import type { DatabaseTarget } from "./target";

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

/** On PostgreSQL every statement is a round trip. */
const MOST_ROWS = 64;

export function createInsert<Tables>(engine: DatabaseTarget["engine"]): InsertRows<Tables> {
  return async (db, table, columns, rows) => {
    const names = columns.map((name) => `"${name}"`).join(",");
    // Keeps numbers that PostgreSQL would assign.
    const into = `insert into "${table}" (${names}) ${engine === "postgres" ? "overriding system value" : ""}`;
    const insert = async (some: readonly (readonly ColumnValue[])[]) => {
      let n = 0;
      const mark = () => (engine === "postgres" ? `$${++n}` : "?");
      const lines = some.map(() => `(${columns.map(mark).join(",")})`);
      await db.executeQuery(CompiledQuery.raw(`${into} values ${lines.join(",")}`, some.flat()));
    };
    let waiting: (readonly ColumnValue[])[] = [];
    for (const row of rows) {
      if (waiting.push(row) < MOST_ROWS) continue;
      await insert(waiting);
      waiting = [];
    }
    if (waiting.length > 0) await insert(waiting);
  };
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
