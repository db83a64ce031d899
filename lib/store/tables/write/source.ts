import { type Kysely, sql, type Transaction } from "kysely";

import type { IndexStore } from "../open-store";
import { CLASS_TABLES } from "../schema/derived-details-tables";
import { type IndexTables, TABLES } from "../schema/tables";
import { createVersion, insertJobRows, type JobRow, PLACED_TABLES, replaceJobRows } from "./rows";
import { deleteJobRows, deleteTexts, ofJob, placeLateRows } from "./search-rows";

const OTHER_TABLES = ["groupSettings", "issues", "facets", "jobTexts", "jobPlans"] as const;

type JobTableName = (typeof PLACED_TABLES | typeof OTHER_TABLES)[number];

/** Rows from trial files; after a new reading of the job they may not match its trials. */
export const FOUND_TABLES = [
  "trialDimensions",
  "trialTags",
  "trialTests",
  "trialChecks",
  "suspicions",
  "reports",
] as const;
/** Kept while a trial's result does not change. */
export const FAILURE_TABLES = [...CLASS_TABLES, "failureEvidence"] as const;

/** Everything the index keeps of one job. Rows of a large job are created lazily. */
export type JobContent = {
  readonly [Table in JobTableName]: Iterable<JobRow<Table>>;
} & {
  readonly job: Omit<
    JobRow<"jobs">,
    | "id"
    | "sourceId"
    | "part"
    | "version"
    | "trialsVersion"
    | "key"
    | "keySearch"
    | "aliases"
    | "hasDerivedDetails"
    | "hasTexts"
    | "failureRules"
    | "hasScans"
  >;
};

export interface SourceContent {
  readonly sourceId: number;
  readonly fingerprint: string;
  readonly jobs: readonly JobContent[];
}

/**
 * Replaces all data of one source in one transaction: other processes see it before or after, and a killed program changes
 * nothing. Unchanged rows are not written. Jobs keep their row ids and keys and get new versions; new ones use their name as key
 * until the next `publish`.
 *
 * @returns false when the source is no longer in the index, so that nothing was written
 */
export async function writeSource(store: IndexStore, content: SourceContent): Promise<boolean> {
  const { sourceId } = content;
  return store.db.transaction().execute(async (transaction) => {
    // A write first: SQLite takes the write lock now, or waits for it, instead of failing half way.
    const updated = await transaction
      .updateTable("sources")
      .set({ fingerprint: content.fingerprint })
      .where("id", "=", sourceId)
      .returning("state")
      .executeTakeFirst();
    if (updated === undefined) return false;
    const isFirst = updated.state === "listed";
    await transaction.updateTable("sources").set({ state: "read" }).where("id", "=", sourceId).execute();
    if (!isFirst) await deleteJobs(store, transaction, sourceId, content.jobs.length);
    for (const [part, job] of content.jobs.entries()) {
      const id = await writeJob(transaction, sourceId, part, job);
      const write = isFirst ? insertJobRows : replaceJobRows;
      for (const table of PLACED_TABLES) await write(store, transaction, table, id, job[table]);
      if (!isFirst) await deleteJobRows(transaction, [...OTHER_TABLES, ...FOUND_TABLES, "taskLabels"], id);
      for (const table of OTHER_TABLES) await insertJobRows(store, transaction, table, id, job[table]);
      if (isFirst) continue;
      await removeStaleFailures(transaction, id);
      await placeLateRows(transaction, id);
    }
    return true;
  });
}

async function removeStaleFailures(db: Transaction<IndexTables>, jobRowId: number): Promise<void> {
  const isSame = sql`t."jobRowId" = f."jobRowId" and t.position = f.position and t.key = f.key and t."resultDigest" = f."resultDigest"
    and t."groupKey" = f."groupKey" and t."taskName" = f."taskName"`;
  const trials = sql`select 1 from trials as t where ${isSame}`;
  for (const table of CLASS_TABLES)
    await sql`delete from ${sql.table(table)} as f where f."jobRowId" = ${jobRowId} and not exists (${trials})`.execute(
      db,
    );
  await removeLooseEvidence(db, jobRowId);
}

export async function removeLooseEvidence(db: Transaction<IndexTables>, jobRowId: number): Promise<void> {
  const failures = sql`select 1 from "trialFailures" as f where f."jobRowId" = e."jobRowId" and f.position = e.position`;
  await sql`delete from "failureEvidence" as e where e."jobRowId" = ${jobRowId} and not exists (${failures})`.execute(
    db,
  );
}

export const UNREAD = { hasDerivedDetails: 0, hasTexts: 0, hasScans: 0, failureRules: "" } as const;

async function writeJob(
  db: Kysely<IndexTables>,
  sourceId: number,
  part: number,
  { job }: JobContent,
): Promise<number> {
  const version = createVersion();
  const { id } = await db
    .insertInto("jobs")
    .values({
      ...job,
      sourceId,
      part,
      version,
      trialsVersion: version,
      key: job.name,
      keySearch: job.name.toLowerCase(),
      aliases: "",
      ...UNREAD,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["sourceId", "part"])
        .doUpdateSet({ ...job, version, trialsVersion: version, ...UNREAD }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function deleteSources(store: IndexStore, ids: readonly number[]): Promise<void> {
  for (const sourceId of ids) {
    await store.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("sources").where("id", "=", sourceId).execute();
      await deleteJobs(store, transaction, sourceId, 0);
    });
  }
}

async function deleteJobs(
  store: IndexStore,
  db: Transaction<IndexTables>,
  sourceId: number,
  part: number,
): Promise<void> {
  const jobs = await db
    .deleteFrom("jobs")
    .where("sourceId", "=", sourceId)
    .where("part", ">=", part)
    .returning("id")
    .execute();
  for (const { id } of jobs) {
    await deleteTexts(store, db, ofJob(id));
    for (const [name, { columns }] of Object.entries(TABLES))
      if ("jobRowId" in columns) await sql`delete from ${sql.table(name)} where ${ofJob(id)}`.execute(db);
  }
}
