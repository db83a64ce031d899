import type { TrialRecord } from "@/lib/domain/trial";

import { createVersion } from "../schema/job-version";
import type { IndexStore } from "../open-store";
import type { SourceRow } from "../schema/tables";
import { decodeTrial } from "../schema/trial-codec";

/** A folder that a scan found. */
export interface FoundSource {
  /** Index into the opened folders. */
  readonly root: number;
  readonly folder: string;
  readonly kind: string;
  readonly nTrialFolders: number;
  /** Name and path to list it under until it is read, and when it was last written, milliseconds since 1970-01-01. */
  readonly listing: SourceListing;
}

/** What the jobs list says of a folder whose trials are not read yet. */
export interface SourceListing {
  readonly job: {
    readonly name: string;
    readonly nameSort: string;
    readonly whenMs: number | null;
    readonly head: string;
  };
}

/** All sources, by root and folder. */
export async function readSources({ db }: IndexStore): Promise<readonly SourceRow[]> {
  return db.selectFrom("sources").selectAll().orderBy("root").orderBy("folder").orderBy("kind").execute();
}

/** One source; null when it is no longer in the index. */
export async function readSource({ db }: IndexStore, id: number): Promise<SourceRow | null> {
  return (await db.selectFrom("sources").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** What the last reading of a source left. */
export interface StoredReading {
  readonly fingerprint: string;
  /** See `describeTrials` of lib/loader. */
  readonly description: string;
  readonly trials: readonly TrialRecord[];
}

/** What the last reading of a source left, at one moment; null when it was never read. */
export async function readStoredReading({ db }: IndexStore, id: number): Promise<StoredReading | null> {
  return db
    .transaction()
    .setAccessMode("read only")
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const source = await transaction
        .selectFrom("sources")
        .innerJoin("source_trials", "source_trials.source_id", "sources.id")
        .select(["sources.fingerprint", "source_trials.description"])
        .where("sources.id", "=", id)
        .where("sources.state", "=", "read")
        .executeTakeFirst();
      if (source === undefined) return null;
      const rows = await transaction
        .selectFrom("jobs")
        .innerJoin("trial_records", "trial_records.job_id", "jobs.id")
        .select("trial_records.record")
        .where("jobs.source_id", "=", id)
        .execute();
      return { ...source, trials: rows.map(({ record }) => decodeTrial(record)) };
    });
}

/**
 * Adds a source and lists its job, so that pages show it before its trials are read; one that is there already is left
 * as it is.
 *
 * @returns its id
 */
export async function addSource({ db }: IndexStore, found: FoundSource): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { root, folder, kind, nTrialFolders, listing } = found;
    const known = await transaction
      .selectFrom("sources")
      .select("id")
      .where("root", "=", root)
      .where("folder", "=", folder)
      .where("kind", "=", kind)
      .executeTakeFirst();
    if (known !== undefined) return known.id;
    const { id } = await transaction
      .insertInto("sources")
      .values({ root, folder, kind, state: "listed", fingerprint: "" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const { name, nameSort, whenMs, head } = listing.job;
    await transaction
      .insertInto("jobs")
      .values({
        source_id: id,
        part: 0,
        version: createVersion(),
        key: name,
        key_search: name.toLowerCase(),
        name,
        name_sort: nameSort,
        uuid: null,
        state: "unknown",
        purpose: "benchmark",
        verdict: "not-recorded",
        n_trials: nTrialFolders,
        n_mismatched: 0,
        n_exceptions: 0,
        best_mean: null,
        cost_usd: null,
        when_ms: whenMs,
        search: `${name}\n${folder}`.toLowerCase(),
        aliases: "",
        head,
        has_findings: 0,
      })
      .execute();
    return id;
  });
}

/** Replaces what is known of a source's files without reading it again. */
export async function updateFingerprint(
  { db }: IndexStore,
  sourceId: number,
  fingerprint: string,
): Promise<void> {
  await db.updateTable("sources").set({ fingerprint }).where("id", "=", sourceId).execute();
}
