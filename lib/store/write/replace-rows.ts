import type { Kysely } from "kysely";

import { insertJobRows, type JobRow, toColumnValue } from "./insert-rows";
import { TABLES } from "../schema/columns";
import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";

/** Tables whose rows have a place within their job. */
export type PlacedTable =
  | "groups"
  | "trials"
  | "trial_records"
  | "trial_rewards"
  | "trial_sources"
  | "recorded_judgments"
  | "tasks"
  | "figures";

/** Positions that are compared at a time. */
const ROUND = 1000;

type Row = Readonly<Record<string, unknown>> & { readonly position: number };

/**
 * Makes the rows of one job those given, inside the transaction that `db` is, and writes only what differs: a row is
 * compared in a fifth of the time that it takes to write it and its places in indexes.
 *
 * @param rows - in the order of their positions
 */
export async function replaceJobRows<Table extends PlacedTable>(
  store: IndexStore,
  db: Kysely<IndexTables>,
  table: Table,
  jobId: number,
  rows: readonly (JobRow<Table> & Row)[],
): Promise<void> {
  const columns = TABLES[table].map(([name]) => name).filter((name) => name !== "job_id");
  const remove = () => db.deleteFrom<PlacedTable>(table).where("job_id", "=", jobId);
  const end = (rows.at(-1)?.position ?? -1) + 1;
  await remove().where("position", ">=", end).execute();
  let at = 0;
  for (let start = 0; start < end; start += ROUND) {
    const first = at;
    while ((rows[at]?.position ?? Infinity) < start + ROUND) at++;
    const added = Map.groupBy(rows.slice(first, at), ({ position }) => position);
    const known = await db
      .selectFrom<PlacedTable>(table)
      .selectAll()
      .where("job_id", "=", jobId)
      .where("position", ">=", start)
      .where("position", "<", start + ROUND)
      .execute();
    const gone: number[] = [];
    for (const [position, stored] of Map.groupBy(known, (row) => row.position)) {
      if (areSame(columns, stored, added.get(position))) added.delete(position);
      else gone.push(position);
    }
    if (gone.length > 0) await remove().where("position", "in", gone).execute();
    await insertJobRows(store, db, table, jobId, [...added.values()].flat());
  }
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
