import { randomInt } from "node:crypto";

import type { Insertable, Kysely } from "kysely";

import { type ColumnValue, toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { type IndexTables, TABLES } from "../schema/tables";

export type JobRow<Table extends keyof IndexTables> = Omit<Insertable<IndexTables[Table]>, "jobRowId">;

/** Must run inside the transaction `db`. Also inserts rows of no job. */
export async function insertJobRows<Table extends keyof IndexTables>(
  { insertRows }: IndexStore,
  db: Kysely<IndexTables>,
  table: Table,
  jobRowId: number | null,
  rows: Iterable<JobRow<Table>>,
): Promise<void> {
  const columns = Object.keys(TABLES[table].columns);
  await insertRows(db, table, columns, listValues(columns, jobRowId, rows));
}

function* listValues(
  columns: readonly string[],
  jobRowId: number | null,
  rows: Iterable<Readonly<Record<string, unknown>>>,
): Generator<ColumnValue[]> {
  for (const row of rows) {
    yield columns.map((column) => (column === "jobRowId" ? jobRowId : toColumnValue(row[column])));
  }
}

/** Maps NaN to null, since it has no order, and -0 to 0: the engines store both differently. */
function toColumnValue(value: unknown): ColumnValue {
  if (typeof value === "number") return Number.isNaN(value) ? null : value + 0;
  return typeof value === "string" ? toColumnText(value) : null;
}

const VERSIONS = 2 ** 47;

/** Returns a version that the job never had, nor an earlier job with the same row id. Caches are keyed by it. */
export function createVersion(): number {
  return randomInt(VERSIONS);
}

export const PLACED_TABLES = [
  "groups",
  "trials",
  "trialRecords",
  "trialRewards",
  "trialSources",
  "recordedJudgments",
  "tasks",
  "figures",
] as const;

type PlacedTable = (typeof PLACED_TABLES)[number];

const ROUND = 1000;

type Row = Readonly<Record<string, unknown>> & { readonly position: number };

/**
 * Replaces the rows of one job inside the transaction `db`, and writes only rows that differ. Comparing a row takes a fifth of the
 * time of writing it and its indexes.
 *
 * @param rows - in order of position; consumed lazily, so that they are never all in memory
 */
export async function replaceJobRows<Table extends PlacedTable>(
  store: IndexStore,
  db: Kysely<IndexTables>,
  table: Table,
  jobRowId: number,
  rows: Iterable<JobRow<Table> & Row>,
): Promise<void> {
  const columns = Object.keys(TABLES[table].columns).filter((name) => name !== "jobRowId");
  const remove = () => db.deleteFrom<PlacedTable>(table).where("jobRowId", "=", jobRowId);
  const waiting = rows[Symbol.iterator]();
  let next = waiting.next();
  let start = 0;
  for (; next.done !== true; start += ROUND) {
    const some: (JobRow<Table> & Row)[] = [];
    for (; next.done !== true && next.value.position < start + ROUND; next = waiting.next())
      some.push(next.value);
    const added = Map.groupBy(some, ({ position }) => position);
    const known = await db
      .selectFrom<PlacedTable>(table)
      .selectAll()
      .where("jobRowId", "=", jobRowId)
      .where("position", ">=", start)
      .where("position", "<", start + ROUND)
      .execute();
    const gone: number[] = [];
    for (const [position, stored] of Map.groupBy(known, (row) => row.position)) {
      if (areSame(columns, stored, added.get(position))) added.delete(position);
      else gone.push(position);
    }
    if (gone.length > 0) await remove().where("position", "in", gone).execute();
    await insertJobRows(store, db, table, jobRowId, [...added.values()].flat());
  }
  await remove().where("position", ">=", start).execute();
}

function areSame(
  columns: readonly string[],
  stored: readonly Readonly<Record<string, unknown>>[],
  rows: readonly Readonly<Record<string, unknown>>[] | undefined,
): boolean {
  return (
    rows?.length === stored.length &&
    rows.every((row, index) =>
      columns.every((column) => toColumnValue(row[column]) === stored[index]?.[column]),
    )
  );
}
