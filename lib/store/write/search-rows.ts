import { type RawBuilder, sql, type SqlBool, type Transaction } from "kysely";

import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";

/** Removes some rows of `trialTexts`, with their words. @param which - a condition on the table's own columns */
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

/** A condition on texts: of this job. */
export function ofJob(jobRowId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref("jobRowId")} = ${jobRowId}`;
}

/** Sets the places of a job's texts to those that their trials have now; null for a trial that is gone. */
export async function placeTexts(db: Transaction<IndexTables>, jobRowId: number): Promise<void> {
  await db
    .updateTable("trialTexts")
    .set((row) => ({
      position: row
        .selectFrom("trials")
        .select("trials.position")
        .whereRef("trials.jobRowId", "=", "trialTexts.jobRowId")
        .whereRef("trials.key", "=", "trialTexts.key"),
    }))
    .where("jobRowId", "=", jobRowId)
    .execute();
}
