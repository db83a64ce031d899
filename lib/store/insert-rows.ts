import { CompiledQuery, type Insertable, type Kysely } from "kysely";

import { type OpenDatabase, toColumnText } from "@/lib/database";

import { TABLES } from "./migrations";
import type { IndexTables } from "./tables";

type Engine = OpenDatabase<IndexTables>["engine"];

/** A row for a table that belongs to a job, without the job. */
export type JobRow<Table extends keyof IndexTables> = Omit<Insertable<IndexTables[Table]>, "job_id">;

/** Rows a statement; few sizes, so that few texts are made and each is made once. */
const SIZES = [64, 8, 1] as const;

const statements = new Map<string, string>();

/**
 * Inserts many rows of one job. The query builder makes a tree of every value it is given, which costs more than the
 * insert itself here, so these statements are written out.
 */
export async function insertJobRows<Table extends keyof IndexTables>(
  engine: Engine,
  db: Kysely<IndexTables>,
  table: Table,
  jobId: number,
  rows: readonly JobRow<Table>[],
): Promise<void> {
  const columns = TABLES[table].map(([name]) => name);
  let at = 0;
  while (at < rows.length) {
    const size = SIZES.find((one) => one <= rows.length - at) ?? 1;
    const values: unknown[] = [];
    for (let index = at; index < at + size; index++) {
      const row: Readonly<Record<string, unknown>> = { ...rows[index] };
      for (const column of columns) values.push(column === "job_id" ? jobId : toColumnValue(row[column]));
    }
    await db.executeQuery(CompiledQuery.raw(writeStatement(engine, table, columns, size), values));
    at += size;
  }
}

function toColumnValue(value: unknown): unknown {
  if (typeof value === "string") return toColumnText(value);
  return value ?? null;
}

function writeStatement(engine: Engine, table: string, columns: readonly string[], size: number): string {
  const name = `${engine} ${table} ${size}`;
  const known = statements.get(name);
  if (known !== undefined) return known;
  const width = columns.length;
  const lines = Array.from({ length: size }, (_, row) => {
    const marks = columns.map((__, column) => (engine === "sqlite" ? "?" : `$${row * width + column + 1}`));
    return `(${marks.join(",")})`;
  });
  const names = columns.map((column) => `"${column}"`).join(",");
  const text = `insert into "${table}" (${names}) values ${lines.join(",")}`;
  statements.set(name, text);
  return text;
}
