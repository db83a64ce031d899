import type { Kysely, Transaction } from "kysely";

import { insertJobRows, type JobRow } from "./insert-rows";
import { createVersion } from "../schema/job-version";
import type { IndexStore } from "../open-store";
import { replaceJobRows } from "./replace-rows";
import type { IndexTables } from "../schema/tables";

/** Tables whose rows belong to one job: those that have a place within it, and those that do not. */
const PLACED_TABLES = [
  "groups",
  "trials",
  "trial_records",
  "trial_rewards",
  "trial_sources",
  "recorded_judgments",
  "tasks",
  "figures",
] as const;
const OTHER_TABLES = ["issues", "facets", "job_texts", "job_plans"] as const;
const JOB_TABLES = [...PLACED_TABLES, ...OTHER_TABLES] as const;

type JobTableName = (typeof JOB_TABLES)[number];

/** What was found in the files of trials; once a job is read again it may not fit its trials any more. */
export const FOUND_TABLES = [
  "trial_dimensions",
  "trial_tags",
  "trial_checks",
  "suspicions",
  "reports",
] as const;
/** What was counted of it, which is shown until it is counted again. */
const COUNTED_TABLES = ["families", "dimensions", "tags"] as const;
/** What only the catalog as a whole can tell. */
const LINK_TABLES = ["trial_links"] as const;

/** Everything the index keeps of one job. */
export type JobContent = {
  readonly [Table in JobTableName]: readonly JobRow<Table>[];
} & {
  readonly job: Omit<
    JobRow<"jobs">,
    "id" | "source_id" | "part" | "version" | "key" | "key_search" | "aliases" | "has_findings"
  >;
};

/** A source that was read. */
export interface SourceContent {
  readonly sourceId: number;
  /** See `describeSource` of lib/loader. */
  readonly fingerprint: string;
  /** See `describeTrials` of lib/loader. */
  readonly trials: string;
  /** In the order of their parts. */
  readonly jobs: readonly JobContent[];
}

/**
 * Replaces all that is known of one source, in one transaction: another process sees it as it was or as it is, and a
 * program that is killed leaves it as it was. Rows that are as they were are not written.
 *
 * Jobs keep their rows' ids and keys and get new versions; new ones get their name as key until the next `publish`.
 *
 * @returns false when the source is no longer in the index, so that nothing was written
 */
export async function writeSource(store: IndexStore, content: SourceContent): Promise<boolean> {
  return store.db.transaction().execute(async (transaction) => {
    // A write first: SQLite gives the lock for writing now or makes us wait, instead of failing half way.
    const updated = await transaction
      .updateTable("sources")
      .set({ state: "read", fingerprint: content.fingerprint })
      .where("id", "=", content.sourceId)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    const { sourceId, trials: description } = content;
    const isFirst = await isUnread(transaction, sourceId);
    await transaction
      .insertInto("source_trials")
      .values({ source_id: sourceId, description })
      .onConflict((conflict) => conflict.column("source_id").doUpdateSet({ description }))
      .execute();
    if (!isFirst) await deleteJobs(transaction, sourceId, content.jobs.length);
    for (const [part, job] of content.jobs.entries()) {
      const id = await writeJob(transaction, sourceId, part, job);
      const write = isFirst ? insertJobRows : replaceJobRows;
      for (const table of PLACED_TABLES) await write(store, transaction, table, id, job[table]);
      for (const table of OTHER_TABLES) {
        if (!isFirst) await transaction.deleteFrom(table).where("job_id", "=", id).execute();
        await insertJobRows(store, transaction, table, id, job[table]);
      }
      if (isFirst) continue;
      for (const table of FOUND_TABLES) {
        await transaction.deleteFrom(table).where("job_id", "=", id).execute();
      }
    }
    return true;
  });
}

async function isUnread(db: Transaction<IndexTables>, sourceId: number): Promise<boolean> {
  const query = db.selectFrom("source_trials").select("source_id").where("source_id", "=", sourceId);
  return (await query.executeTakeFirst()) === undefined;
}

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
      source_id: sourceId,
      part,
      version,
      key: job.name,
      key_search: job.name.toLowerCase(),
      aliases: "",
      has_findings: 0,
    })
    .onConflict((conflict) =>
      conflict.columns(["source_id", "part"]).doUpdateSet({ ...job, version, has_findings: 0 }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Removes sources with all that is known of them. */
export async function deleteSources({ db }: IndexStore, ids: readonly number[]): Promise<void> {
  for (const sourceId of ids) {
    await db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("sources").where("id", "=", sourceId).execute();
      await transaction.deleteFrom("source_trials").where("source_id", "=", sourceId).execute();
      await deleteJobs(transaction, sourceId, 0);
    });
  }
}

/** Removes the jobs of a source from one of its parts on. */
async function deleteJobs(db: Transaction<IndexTables>, sourceId: number, part: number): Promise<void> {
  const jobs = await db
    .deleteFrom("jobs")
    .where("source_id", "=", sourceId)
    .where("part", ">=", part)
    .returning("id")
    .execute();
  for (const { id } of jobs) {
    for (const table of [...JOB_TABLES, ...FOUND_TABLES, ...COUNTED_TABLES, ...LINK_TABLES]) {
      await db.deleteFrom(table).where("job_id", "=", id).execute();
    }
  }
}
