import type { JobKind } from "@/lib/domain/job";

import { createVersion } from "./rows";
import { UNREAD } from "./source";
import type { IndexStore } from "../open-store";
import { decodeValue, type Json } from "../schema/codec";
import type { StoredHead } from "../schema/job-head";
import type { Stored } from "../schema/tables";

/** A folder that a scan found, as the jobs list shows it until its trials are read. */
export interface FoundSource {
  /** Index into the opened folders. */
  readonly root: number;
  readonly folder: string;
  readonly kind: JobKind;
  readonly name: string;
  readonly nameSort: string;
  /** When it was last written, milliseconds since 1970-01-01. */
  readonly whenMs: number | null;
  readonly nTrials: number;
  readonly head: Json<StoredHead>;
}

/** All sources, by root and folder. */
export async function readSources({ db }: IndexStore): Promise<readonly Stored<"sources">[]> {
  return db.selectFrom("sources").selectAll().orderBy("root").orderBy("folder").orderBy("kind").execute();
}

/** One source; null when it is no longer in the index. */
export async function readSource({ db }: IndexStore, id: number): Promise<Stored<"sources"> | null> {
  return (await db.selectFrom("sources").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** What the last reading of a source left, at one moment, see `describeTrials` of lib/loader; null when it was never read. */
export async function readStoredReading({ db }: IndexStore, id: number) {
  return db
    .transaction()
    .setAccessMode("read only")
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      const source = await transaction
        .selectFrom("sources")
        .innerJoin("sourceTrials", "sourceTrials.sourceId", "sources.id")
        .select(["sources.fingerprint", "sourceTrials.description"])
        .where("sources.id", "=", id)
        .where("sources.state", "=", "read")
        .executeTakeFirst();
      if (source === undefined) return null;
      const rows = await transaction
        .selectFrom("jobs")
        .innerJoin("trialRecords", "trialRecords.jobRowId", "jobs.id")
        .select("trialRecords.record")
        .where("jobs.sourceId", "=", id)
        .execute();
      return { ...source, trials: rows.map(({ record }) => decodeValue(record)) };
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
    const { root, folder, kind, ...listed } = found;
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
    const { name } = listed;
    await transaction
      .insertInto("jobs")
      .values({
        sourceId: id,
        part: 0,
        version: createVersion(),
        key: name,
        keySearch: name.toLowerCase(),
        ...listed,
        uuid: null,
        state: "unknown",
        purpose: "benchmark",
        verdict: "not-recorded",
        nMismatched: 0,
        bestMean: null,
        costUsd: null,
        search: `${name}\n${folder}`.toLowerCase(),
        aliases: "",
        ...UNREAD,
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
