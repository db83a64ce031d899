import { changePending, type PendingJob } from "./derived-details";
import { createVersion, insertJobRows, type JobRow } from "./rows";
import type { IndexStore } from "../open-store";

const TABLES = ["trialFailures", "failureEvidence"] as const;

/** Why some trials did not pass: one row of each table for each of them. */
export type FailureRows = { readonly [Table in (typeof TABLES)[number]]: readonly JobRow<Table>[] };

/** Places of a job's trials, from the first to before the last. */
export interface PositionRange {
  readonly from: number;
  /** Null for all that follow. */
  readonly to: number | null;
}

/**
 * Replaces why trials of a part of a job did not pass; what an earlier reading says of the others stays until they are read.
 * @returns false when the job has changed since
 */
export async function writeFailures(
  store: IndexStore,
  job: PendingJob,
  { from, to }: PositionRange,
  rows: FailureRows,
): Promise<boolean> {
  return changePending(
    store,
    job,
    async (transaction) => {
      for (const table of TABLES) {
        const old = transaction
          .deleteFrom(table)
          .where("jobRowId", "=", job.id)
          .where("position", ">=", from);
        await (to === null ? old : old.where("position", "<", to)).execute();
        await insertJobRows(store, transaction, table, job.id, rows[table]);
      }
    },
    "failureRules",
  );
}

/** Says that all trials of a job are classified. @param version - of the rules @returns false when the job has changed since */
export async function finishFailures(store: IndexStore, job: PendingJob, version: string): Promise<boolean> {
  return changePending(
    store,
    job,
    async (transaction) => {
      await transaction
        .updateTable("jobs")
        .set({ failureRules: version, version: createVersion() })
        .where("id", "=", job.id)
        .execute();
    },
    "failureRules",
  );
}
