import type { IndexStore } from "../open-store";
import { isAmong } from "../read/query";
import { CLASS_TABLES } from "../schema/derived-details-tables";
import { changePending, type PendingJob, replaceIssues } from "./derived-details";
import { createVersion, insertJobRows, type JobRow } from "./rows";
import { FAILURE_TABLES, removeLooseEvidence, UNREAD } from "./source";

type FailureRows = { readonly [Table in (typeof FAILURE_TABLES)[number]]: readonly JobRow<Table>[] };

/** Positions of a job's trials that these rules claim in their current state. @param version - of the rules */
export async function readClassified(
  { db }: IndexStore,
  jobRowId: number,
  version: string,
): Promise<ReadonlySet<number>> {
  const rows = await Promise.all(
    CLASS_TABLES.map((table) =>
      db
        .selectFrom<"trialFailures" | "passedFailures">(table)
        .select("position")
        .where("jobRowId", "=", jobRowId)
        .where("version", "=", version)
        .where("rule", "!=", "")
        .execute(),
    ),
  );
  return new Set(rows.flat().map(({ position }) => position));
}

/** Marks jobs classified by other rules as unclassified; old classes stay visible until then. @returns true if there are any */
export async function markUnclassified({ db }: IndexStore, version: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ failureRules: UNREAD.failureRules })
    .where("failureRules", "not in", [UNREAD.failureRules, version])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function writeFailures(store: IndexStore, job: PendingJob, rows: FailureRows): Promise<boolean> {
  const positions = CLASS_TABLES.flatMap((table) => rows[table].map(({ position }) => position));
  return changePending(store, job, "failureRules", async (transaction) => {
    for (const table of FAILURE_TABLES) {
      await transaction
        .deleteFrom(table)
        .where("jobRowId", "=", job.id)
        .where(isAmong(store, "position", positions))
        .execute();
      await insertJobRows(store, transaction, table, job.id, rows[table]);
    }
  });
}

/**
 * Removes classes of other rules and marks the job as classified.
 *
 * @param version - of the rules
 * @param issues - why some trials could not be classified, with origin `failures`; these rules do not retry them
 * @returns false when the job has changed since
 */
export async function finishFailures(
  store: IndexStore,
  job: PendingJob,
  version: string,
  issues: readonly JobRow<"issues">[] = [],
): Promise<boolean> {
  return changePending(store, job, "failureRules", async (transaction) => {
    for (const table of CLASS_TABLES)
      await transaction
        .deleteFrom<"trialFailures" | "passedFailures">(table)
        .where("jobRowId", "=", job.id)
        .where("version", "!=", version)
        .execute();
    await removeLooseEvidence(transaction, job.id);
    await replaceIssues(store, transaction, job.id, "failures", issues);
    await transaction
      .updateTable("jobs")
      .set({ failureRules: version, version: createVersion() })
      .where("id", "=", job.id)
      .execute();
  });
}
