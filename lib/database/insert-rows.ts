import type Database from "better-sqlite3";
import { CompiledQuery, type Kysely } from "kysely";

export type ColumnValue = string | number | null;

/**
 * Inserts many rows, inside the transaction that is open on `db`. The query builder makes a tree of every value it is
 * given and the driver prepares every statement anew, which together cost more than inserting does.
 *
 * @param rows - each with a value for every column, in their order; asked for one after the other, as they are inserted
 */
export type InsertRows<Tables> = (
  db: Kysely<Tables>,
  table: string & keyof Tables,
  columns: readonly string[],
  rows: Iterable<readonly ColumnValue[]>,
) => Promise<void>;

/** One statement, prepared once and run for each row. */
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

/** Rows a statement, since every statement is a journey to the server. */
const MOST_ROWS = 64;

/** Rows keep the numbers that they come with, where the table would number them. */
const KEEP_NUMBERS = "overriding system value";

/** Statements of many rows each. */
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
 * Text as a column on either engine can hold it: NUL, which PostgreSQL refuses, and lone surrogates, which neither
 * keeps, become U+FFFD. For columns that are searched, sorted and shown; what must come back unchanged is stored as bytes
 * or as JSON.
 */
export function toColumnText(text: string): string {
  // Almost every text is fine, and there are a dozen a trial.
  if (text.isWellFormed() && !text.includes("\0")) return text;
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
