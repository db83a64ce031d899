import type { Transaction } from "kysely";

import type { IndexStore } from "../open-store";
import { isAmong } from "../read/query";
import { CLASS_TABLES } from "../schema/derived-details-tables";
import type { IndexTables } from "../schema/tables";
import {
  FAILURE_TABLES,
  FOUND_TABLES,
  type JobRow,
  UNREAD,
  createVersion,
  deleteJobRows,
  insertJobRows,
  removeLooseEvidence,
} from "./source";

/** Readings after the results: derived details, failure classes, searched texts, then scans. */
export type LateReading = keyof typeof UNREAD;

export type PendingJob = Awaited<ReturnType<typeof readPendingJobs>>[number];

/** Returns the jobs without a late reading, newest first. @param rules - version of the rules that classify failures */
export async function readPendingJobs(store: IndexStore, reading: LateReading, rules = "") {
  const jobs = selectRead(store)
    .select(["jobs.id", "jobs.version", "sources.root", "sources.folder", "jobs.purpose", "jobs.nTrials"])
    .orderBy((order) => order.fn.coalesce("jobs.whenMs", order.lit(0)), "desc")
    .orderBy("jobs.id");
  const pending =
    reading === "failureRules"
      ? jobs.where("jobs.failureRules", "!=", rules)
      : jobs.where(`jobs.${reading}`, "=", 0);
  return pending.execute();
}

/** Returns the number of trials by id of the jobs whose derived details are not read. */
export function readJobsWithoutDerivedDetails(store: IndexStore): Promise<ReadonlyMap<number, number>> {
  return readUnread(selectRead(store).where("jobs.hasDerivedDetails", "=", 0));
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
export async function addDerivedDetails(store: IndexStore, job: PendingJob, rows: DerivedDetailRows) {
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
export async function finishDerivedDetails(store: IndexStore, job: PendingJob, counts: DerivedDetailCounts) {
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
      .where((where) => where.and({ id, version }))
      .executeTakeFirst();
    if (held.numUpdatedRows === 0n) return false;
    await write(transaction);
    return true;
  });
}

type FailureRows = { readonly [Table in (typeof FAILURE_TABLES)[number]]: readonly JobRow<Table>[] };

/** Positions of a job's trials that these rules claim in their current state. @param version - of the rules */
export async function readClassified({ db }: IndexStore, jobRowId: number, version: string) {
  const rows = await Promise.all(
    CLASS_TABLES.map((table) =>
      db
        .selectFrom<"trialFailures" | "passedFailures">(table)
        .select("position")
        .where((where) => where.and({ jobRowId, version }))
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
