import { type QueryExecutorProvider, sql } from "kysely";

import type { DatabaseTarget } from "@/lib/database";

import { computeChecksum, STATEMENT_TABLES, type StatementTable } from "./checksum";
import { readBatches } from "./damaged-rows";

/** Adds the checksum of each row. Drops the triggers that refuse changes: the caller creates them again. */
export async function addChecksums(
  db: QueryExecutorProvider,
  engine: DatabaseTarget["engine"],
  table: StatementTable,
): Promise<void> {
  const triggers = engine === "postgres" ? ["append_only"] : ["no_update", "no_delete"];
  const onTable = engine === "postgres" ? sql` on ${sql.table(table)}` : sql``;
  await sql`alter table ${sql.table(table)} add column checksum text`.execute(db);
  for (const name of triggers) await sql`drop trigger ${sql.ref(`${table}_${name}`)}${onTable}`.execute(db);
  const key = STATEMENT_TABLES[table];
  for await (const rows of readBatches(db, table)) {
    const values = rows.map((row) => {
      // PostgreSQL takes a bound number for text here.
      const place = key.map((name) => (typeof row[name] === "number" ? sql.lit(row[name]) : row[name]));
      return sql`(${computeChecksum(table, row)}, ${sql.join(place)})`;
    });
    const isOfRow = key.map(
      (name, at) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`added.column${String(at + 2)}`)}`,
    );
    await sql`update ${sql.table(table)} set checksum = added.column1 from (values ${sql.join(values)}) as added
      where ${sql.join(isOfRow, sql` and `)}`.execute(db);
  }
}
