import { type QueryExecutorProvider, sql } from "kysely";

import { type DatabaseTarget, takeTurns } from "@/lib/database";

import { computeChecksum, type StatementTable, type StoredRow } from "./checksum";

/** Engines limit the values of a statement. */
const ROWS_AT_ONCE = 500;

/** Adds the checksum of each row. Drops the triggers that refuse changes: the caller creates them again. */
export async function addChecksums(
  db: QueryExecutorProvider,
  engine: DatabaseTarget["engine"],
  table: StatementTable,
): Promise<void> {
  const [place, cast, triggers] =
    engine === "postgres"
      ? ["ctid", "::tid", [`${table}_append_only on ${table}`]]
      : ["rowid", "", [`${table}_no_update`, `${table}_no_delete`]];
  await sql.raw(`alter table ${table} add column checksum text`).execute(db);
  for (const trigger of triggers) await sql.raw(`drop trigger ${trigger}`).execute(db);
  const { rows } = await sql.raw<StoredRow>(`select ${place} as place, * from ${table}`).execute(db);
  for await (const some of takeTurns(rows, ROWS_AT_ONCE)) {
    const values = some.map(({ place: own, ...row }) => sql`(${computeChecksum(table, row)}, ${own})`);
    await sql`update ${sql.table(table)} set checksum = added.column1 from (values ${sql.join(values)}) as added
      where ${sql.raw(`${table}.${place} = added.column2${cast}`)}`.execute(db);
  }
}
