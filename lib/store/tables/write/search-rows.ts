import { type RawBuilder, sql, type SqlBool, type Transaction } from "kysely";

import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";

export async function deleteTexts(
  { engine }: IndexStore,
  db: Transaction<IndexTables>,
  which: RawBuilder<SqlBool>,
): Promise<void> {
  const column = engine === "sqlite" ? sql.ref("rowid") : sql.ref("textId");
  const ids = sql`select id from ${sql.table("trialTexts")} where ${which}`;
  await sql`delete from ${sql.table("trialSearch")} where ${column} in (${ids})`.execute(db);
  await db.deleteFrom("trialTexts").where(which).execute();
}

export function ofJob(jobRowId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref("jobRowId")} = ${jobRowId}`;
}

export async function deleteJobRows(
  db: Transaction<IndexTables>,
  tables: readonly (keyof IndexTables)[],
  jobRowId: number,
): Promise<void> {
  for (const name of tables) await sql`delete from ${sql.table(name)} where ${ofJob(jobRowId)}`.execute(db);
}

/** Updates positions of kept rows to those of the job's current trials; null for a trial that is gone. */
export async function placeLateRows(db: Transaction<IndexTables>, jobRowId: number): Promise<void> {
  for (const name of ["trialTexts", "scannedTrials", "trialScans"]) {
    const [table, job] = [sql.table(name), sql.ref(`${name}.jobRowId`)];
    const now = sql`(select t.position from ${sql.table("trials")} as t
      where ${sql.ref("t.jobRowId")} = ${job} and t.key = ${sql.ref(`${name}.key`)})`;
    await sql`update ${table} set position = ${now}
      where ${job} = ${jobRowId} and ${sql.ref(`${name}.position`)} is distinct from ${now}`.execute(db);
  }
}
