import type { Insertable } from "kysely";

import { takeTurns } from "@/lib/store/database";

import { computeChecksum } from "./checksum";
import type { AnnotationDb, StatementRow } from "./tables";

/** Engines limit the values of a statement. */
const ROWS_AT_ONCE = 100;

/**
 * Inserts rows with their checksums: a row without one counts for nothing.
 *
 * @param taken - what becomes of a row whose id its kind has already
 */
export async function insertStatements(
  db: AnnotationDb,
  rows: readonly Insertable<StatementRow>[],
  taken: "refuse" | "skip" = "refuse",
): Promise<void> {
  const added = rows.map((row) => ({ ...row, checksum: computeChecksum("statement", { ...row }) }));
  for await (const some of takeTurns(added, ROWS_AT_ONCE)) {
    const insert = db.insertInto("statement").values(some);
    await (taken === "skip" ? insert.onConflict((conflict) => conflict.doNothing()) : insert).execute();
  }
}
