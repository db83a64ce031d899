import type { Kysely, Transaction } from "kysely";

import { insertJobRows, type JobRow } from "./insert-rows";
import { createVersion } from "./job-version";
import type { IndexStore } from "./open-store";
import type { IndexTables } from "./tables";

/** Tables whose rows belong to one job and are replaced with it. */
const JOB_TABLES = [
  "groups",
  "trials",
  "trial_records",
  "trial_rewards",
  "tasks",
  "figures",
  "issues",
  "facets",
] as const;

type JobTableName = (typeof JOB_TABLES)[number];

/** Everything the index keeps of one job. */
export type JobContent = {
  readonly [Table in JobTableName]: readonly JobRow<Table>[];
} & {
  readonly job: Omit<
    JobRow<"jobs">,
    "id" | "source_id" | "part" | "version" | "key" | "key_search" | "aliases"
  >;
};

/** A source that was read. */
export interface SourceContent {
  readonly sourceId: number;
  /** See `describeSource` of lib/loader. */
  readonly fingerprint: string;
  /** In the order of their parts. */
  readonly jobs: readonly JobContent[];
}

/**
 * Replaces all that is known of one source, in one transaction: another process sees it as it was or as it is, and a
 * program that is killed leaves it as it was.
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
    const known = await transaction
      .selectFrom("jobs")
      .select(["id", "part"])
      .where("source_id", "=", content.sourceId)
      .execute();
    for (const { id } of known) await deleteContent(transaction, id);
    await transaction
      .deleteFrom("jobs")
      .where("source_id", "=", content.sourceId)
      .where("part", ">=", content.jobs.length)
      .execute();
    for (const [part, job] of content.jobs.entries()) {
      const id = await writeJob(transaction, content.sourceId, part, job);
      for (const table of JOB_TABLES) await insertJobRows(store, transaction, table, id, job[table]);
    }
    return true;
  });
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
    })
    .onConflict((conflict) => conflict.columns(["source_id", "part"]).doUpdateSet({ ...job, version }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Removes sources with all that is known of them. */
export async function deleteSources({ db }: IndexStore, ids: readonly number[]): Promise<void> {
  for (const sourceId of ids) {
    await db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("sources").where("id", "=", sourceId).execute();
      const jobs = await transaction
        .selectFrom("jobs")
        .select("id")
        .where("source_id", "=", sourceId)
        .execute();
      for (const { id } of jobs) await deleteContent(transaction, id);
      await transaction.deleteFrom("jobs").where("source_id", "=", sourceId).execute();
    });
  }
}

async function deleteContent(db: Transaction<IndexTables>, jobId: number): Promise<void> {
  for (const table of JOB_TABLES) await db.deleteFrom(table).where("job_id", "=", jobId).execute();
}
