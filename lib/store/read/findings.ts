import type { ErrorTag, TrialRecord } from "@/lib/domain/trial";

import { isAmong } from "./among";
import type { IndexStore } from "../open-store";
import { decodeTrial } from "../schema/trial-codec";

/** Trials of one group of a job that carry a tag. */
export interface TagCount {
  readonly jobId: number;
  readonly groupKey: string;
  /** Null for trials with any tag at all. */
  readonly category: string | null;
  /** Null for the category from whichever source. */
  readonly source: ErrorTag["source"] | null;
  readonly nTrials: number;
  /** Of these, trials with a readable result. */
  readonly nFinished: number;
}

/** Tags by job, group, category and source, in the order in which trials name them; of one job alone when it is given. */
export async function readTagCounts(
  { db }: IndexStore,
  jobId: number | null = null,
): Promise<readonly TagCount[]> {
  let query = db.selectFrom("tags").selectAll().orderBy("job_id").orderBy("position");
  if (jobId !== null) query = query.where("job_id", "=", jobId);
  return (await query.execute()).map((row) => ({
    jobId: row.job_id,
    groupKey: row.group_key,
    category: row.category === "" ? null : row.category,
    source: row.source === "any" ? null : (row.source as ErrorTag["source"]), // The indexer writes members of the closed list.
    nTrials: row.n_trials,
    nFinished: row.n_finished,
  }));
}

/** Keys of a job's trials that carry one of these categories. */
export async function readTaggedKeys(
  store: IndexStore,
  jobId: number,
  categories: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await store.db
    .selectFrom("trial_tags")
    .innerJoin("trials", (join) =>
      join
        .onRef("trials.job_id", "=", "trial_tags.job_id")
        .onRef("trials.position", "=", "trial_tags.position"),
    )
    .select("trials.key")
    .distinct()
    .where("trial_tags.job_id", "=", jobId)
    .where(isAmong(store, "trial_tags.category", categories))
    .execute();
  return new Set(rows.map(({ key }) => key));
}

/** Jobs whose trials were read and whose findings were not yet, with their numbers of trials. */
export async function readJobsWithoutFindings({
  db,
}: IndexStore): Promise<readonly { readonly id: number; readonly nTrials: number }[]> {
  return db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.source_id")
    .select(["jobs.id", "jobs.n_trials as nTrials"])
    .where("jobs.has_findings", "=", 0)
    .where("sources.state", "=", "read")
    .execute();
}

/** A trial with its place in its job. */
export interface PlacedTrial {
  readonly position: number;
  readonly groupKey: string;
  readonly trial: TrialRecord;
}

/** Some trials of a job from a position on, in directory order. */
export async function readPlacedTrials(
  { db }: IndexStore,
  jobId: number,
  from: number,
  limit: number,
): Promise<readonly PlacedTrial[]> {
  const rows = await db
    .selectFrom("trial_records")
    .innerJoin("trials", (join) =>
      join
        .onRef("trials.job_id", "=", "trial_records.job_id")
        .onRef("trials.position", "=", "trial_records.position"),
    )
    .select(["trial_records.position", "trials.group_key", "trial_records.record"])
    .where("trial_records.job_id", "=", jobId)
    .where("trial_records.position", ">=", from)
    .orderBy("trial_records.position")
    .limit(limit)
    .execute();
  return rows.map(({ position, group_key: groupKey, record }) => ({
    position,
    groupKey,
    trial: decodeTrial(record),
  }));
}
