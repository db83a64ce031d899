import type { JobKind } from "@/lib/core/domain/job";
import type { StoredHead } from "@/lib/core/domain/job-head";
import type { Trial } from "@/lib/core/domain/trial";

import type { IndexStore } from "../open-store";
import { decodeValue, type Json } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { createVersion } from "./rows";
import { UNREAD } from "./source";

export interface FoundSource {
  readonly root: number;
  readonly folder: string;
  readonly kind: JobKind;
  readonly name: string;
  readonly nameSort: string;
  readonly whenMs: number | null;
  readonly nTrials: number;
  readonly head: Json<StoredHead>;
}

export async function readSources({ db }: IndexStore): Promise<readonly Stored<"sources">[]> {
  return db.selectFrom("sources").selectAll().orderBy("root").orderBy("folder").orderBy("kind").execute();
}

export async function readSource({ db }: IndexStore, id: number): Promise<Stored<"sources"> | null> {
  return (await db.selectFrom("sources").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

const ROUND = 1000;

/**
 * Reads what the last reading of a source left, from one snapshot. `open` gets the results of `describeSource` and
 * `describeTrials` of lib/read/loader; what it returns receives each trial, so a large job is never held as rows.
 *
 * @returns the result of `open`; null when the source was never read
 */
export async function readStoredReading<Reading extends { add: (record: Trial) => void }>(
  { db }: IndexStore,
  id: number,
  open: (stored: { readonly fingerprint: string; readonly description: string }) => Reading,
): Promise<Reading | null> {
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
      const reading = open(source);
      const jobs = await transaction.selectFrom("jobs").select("id").where("sourceId", "=", id).execute();
      for (const job of jobs) {
        let last = -1;
        let isMore = true;
        while (isMore) {
          const rows = await transaction
            .selectFrom("trialRecords")
            .select(["position", "record"])
            .where("jobRowId", "=", job.id)
            .where("position", ">", last)
            .orderBy("position")
            .limit(ROUND)
            .execute();
          for (const { record } of rows) reading.add(decodeValue(record));
          last = rows.at(-1)?.position ?? last;
          isMore = rows.length === ROUND;
        }
      }
      return reading;
    });
}

/**
 * Adds a source and lists its job, so that pages show it before its trials are read. Does not change an existing source.
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
    const version = createVersion();
    await transaction
      .insertInto("jobs")
      .values({
        sourceId: id,
        part: 0,
        version,
        trialsVersion: version,
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

export async function updateFingerprint(
  { db }: IndexStore,
  sourceId: number,
  fingerprint: string,
): Promise<void> {
  await db.updateTable("sources").set({ fingerprint }).where("id", "=", sourceId).execute();
}
