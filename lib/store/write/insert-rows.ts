import type { Insertable, Kysely } from "kysely";

import { type ColumnValue, toColumnText } from "@/lib/database";

import { TABLES } from "../schema/columns";
import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";

/** A row for a table that belongs to a job, without the job. */
export type JobRow<Table extends keyof IndexTables> = Omit<Insertable<IndexTables[Table]>, "job_id">;

/** Inserts many rows of one job, or of no job, inside the transaction that `db` is. */
export async function insertJobRows<Table extends keyof IndexTables>(
  { insertRows }: IndexStore,
  db: Kysely<IndexTables>,
  table: Table,
  jobId: number | null,
  rows: readonly JobRow<Table>[],
): Promise<void> {
  const columns = TABLES[table].map(([name]) => name);
  await insertRows(db, table, columns, listValues(columns, jobId, rows));
}

function* listValues(
  columns: readonly string[],
  jobId: number | null,
  rows: readonly Readonly<Record<string, unknown>>[],
): Generator<ColumnValue[]> {
  for (const row of rows) {
    yield columns.map((column) => (column === "job_id" ? jobId : toColumnValue(row[column])));
  }
}

/** NaN is unknown, as nothing sorts before or after it, and there is one zero: engines keep both in ways of their own. */
export function toColumnValue(value: unknown): ColumnValue {
  if (typeof value === "number") return Number.isNaN(value) ? null : value + 0;
  return typeof value === "string" ? toColumnText(value) : null;
}
