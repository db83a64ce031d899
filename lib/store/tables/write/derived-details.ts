import type { Transaction } from "kysely";

import type { IndexStore } from "../open-store";
import { CLASS_TABLES } from "../schema/derived-details-tables";
import type { IndexTables } from "../schema/tables";
import { createVersion, insertJobRows, type JobRow } from "./rows";
import { deleteJobRows } from "./search-rows";
import { FOUND_TABLES, UNREAD } from "./source";

/** Readings after the results: derived details, failure classes, searched texts, then scans. */
export type LateReading = keyof typeof UNREAD;

export type PendingJob = NonNullable<Awaited<ReturnType<typeof readPendingJob>>>;

/**
 * Returns the next pending job: one of `first` if any, else the newest. Null if none is pending.
 *
 * @param first - ids
 * @param except - versions of jobs to skip
 * @param rules - version of the rules that classify failures
 */
export async function readPendingJob(
  store: IndexStore,
  reading: LateReading,
  first: ReadonlySet<number>,
  except: ReadonlySet<number>,
  rules = "",
) {
  const rows = await selectPending(store, reading, rules)
    .select(["jobs.id", "jobs.version", "sources.root", "sources.folder", "jobs.purpose", "jobs.nTrials"])
    .orderBy((order) => order.fn.coalesce("jobs.whenMs", order.lit(0)), "desc")
    .orderBy("jobs.id")
    .execute();
  const pending = rows.filter(({ version }) => !except.has(version));
  return pending.find(({ id }) => first.has(id)) ?? pending[0] ?? null;
}

/** Counts trials of pending jobs, except versions in `except`. @param rules - see {@link readPendingJob} */
export async function countPendingTrials(
  store: IndexStore,
  reading: LateReading,
  except: ReadonlySet<number>,
  rules = "",
): Promise<number> {
  const rows = await selectPending(store, reading, rules).select(["jobs.version", "jobs.nTrials"]).execute();
  return rows.reduce((sum, row) => (except.has(row.version) ? sum : sum + row.nTrials), 0);
}

/** Returns the number of trials by id of the jobs whose derived details are not read. */
export function readJobsWithoutDerivedDetails(store: IndexStore): Promise<ReadonlyMap<number, number>> {
  return readUnread(selectPending(store, "hasDerivedDetails", ""));
}

/** As {@link readJobsWithoutDerivedDetails}, for jobs whose failed trials are not classified. */
export function readUnclassifiedJobs(store: IndexStore): Promise<ReadonlyMap<number, number>> {
  return readUnread(selectRead(store).where("jobs.failureRules", "=", UNREAD.failureRules));
}

async function readUnread(pending: ReturnType<typeof selectRead>): Promise<ReadonlyMap<number, number>> {
  const rows = await pending.select(["jobs.id", "jobs.nTrials"]).execute();
  return new Map(rows.map(({ id, nTrials }) => [id, nTrials]));
}

function selectRead({ db }: IndexStore) {
  return db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .where("sources.state", "=", "read");
}

function selectPending(store: IndexStore, reading: LateReading, rules: string) {
  const jobs = selectRead(store);
  return reading === "failureRules"
    ? jobs.where("jobs.failureRules", "!=", rules)
    : jobs.where(`jobs.${reading}`, "=", 0);
}

/** Marks all late readings as undone. Old counts and failure classes stay visible until they run again. */
export async function forgetDerivedDetails({ db }: IndexStore): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (const table of CLASS_TABLES)
      await transaction.updateTable<"trialFailures" | "passedFailures">(table).set({ version: "" }).execute();
    for (const { id } of await transaction.selectFrom("jobs").select("id").execute()) {
      const changes = { ...UNREAD, version: createVersion() };
      await transaction.updateTable("jobs").set(changes).where("id", "=", id).execute();
    }
  });
}

type RowsOfTables<Name extends keyof IndexTables> = { readonly [Table in Name]: readonly JobRow<Table>[] };

type DerivedDetailRows = RowsOfTables<"trialDimensions" | "trialTags" | "trialTests" | "trialChecks">;

export type DerivedDetailCounts = RowsOfTables<
  "families" | "dimensions" | "tags" | "suspicions" | "reports" | "issues"
>;

/**
 * Removes results of an earlier or interrupted reading.
 *
 * @returns false when the job has changed since, so that nothing was written
 */
export async function clearDerivedDetails(store: IndexStore, job: PendingJob): Promise<boolean> {
  return changePending(store, job, "hasDerivedDetails", (transaction) =>
    deleteJobRows(transaction, FOUND_TABLES, job.id),
  );
}

/** @returns false when the job has changed since */
export async function addDerivedDetails(
  store: IndexStore,
  job: PendingJob,
  rows: DerivedDetailRows,
): Promise<boolean> {
  return changePending(store, job, "hasDerivedDetails", (transaction) =>
    insertAll(store, transaction, job.id, rows),
  );
}

async function insertAll(
  store: IndexStore,
  db: Transaction<IndexTables>,
  jobRowId: number,
  rows: DerivedDetailRows | Omit<DerivedDetailCounts, "issues">,
): Promise<void> {
  type Name = keyof DerivedDetailRows | keyof DerivedDetailCounts;
  for (const [table, own] of Object.entries<readonly JobRow<Name>[]>({ ...rows })) {
    await insertJobRows(store, db, table as Name, jobRowId, own); // A key of either.
  }
}

/** Replaces the counts and marks the derived details as complete. @returns false when the job has changed since */
export async function finishDerivedDetails(
  store: IndexStore,
  job: PendingJob,
  counts: DerivedDetailCounts,
): Promise<boolean> {
  return changePending(store, job, "hasDerivedDetails", async (transaction) => {
    await deleteJobRows(transaction, ["families", "dimensions", "tags"], job.id);
    const { issues, ...others } = counts;
    await replaceIssues(store, transaction, job.id, "derived-details", issues);
    await insertAll(store, transaction, job.id, others);
    await transaction
      .updateTable("jobs")
      .set({ hasDerivedDetails: 1, version: createVersion() })
      .where("id", "=", job.id)
      .execute();
  });
}

export async function replaceIssues(
  store: IndexStore,
  db: Transaction<IndexTables>,
  jobRowId: number,
  origin: JobRow<"issues">["origin"],
  issues: readonly JobRow<"issues">[],
): Promise<void> {
  await db.deleteFrom("issues").where("jobRowId", "=", jobRowId).where("origin", "=", origin).execute();
  await insertJobRows(store, db, "issues", jobRowId, issues);
}

/** Writes to a job unless it has changed since. @returns true if it wrote */
export async function changePending(
  { db }: IndexStore,
  { id, version }: PendingJob,
  reading: LateReading,
  write: (transaction: Transaction<IndexTables>) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // Writes first, which locks the job's row until the end of the transaction.
    const held = await transaction
      .updateTable("jobs")
      .set({ [reading]: UNREAD[reading] })
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst();
    if (held.numUpdatedRows === 0n) return false;
    await write(transaction);
    return true;
  });
}
