import { sql } from "kysely";

import type { ScanExtent, ScannerInfo, ScanResult } from "@/lib/core/domain/scanner";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { isAmong } from "../read/query";
import { encodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { changePending, type PendingJob, replaceIssues } from "./derived-details";
import { insertJobRows, type JobRow } from "./rows";

interface StoredScannerSet {
  readonly fingerprint: string;
  readonly scanners: readonly (ScannerInfo & {
    readonly fingerprint: string;
    readonly file: string;
    readonly isOwn: boolean;
  })[];
  readonly refused: readonly Omit<Stored<"refusedScanners">, "position">[];
}

const SET = "scannerSet";

export async function readScannerSetFingerprint({ db }: IndexStore): Promise<string | null> {
  const row = await db.selectFrom("meta").select("value").where("name", "=", SET).executeTakeFirst();
  return row?.value ?? null;
}

/** Replaces the set and marks all jobs as unscanned; only new and changed scanners run again. */
export async function writeScannerSet(store: IndexStore, set: StoredScannerSet): Promise<void> {
  await store.db.transaction().execute(async (transaction) => {
    // A write first, see `writeSource`.
    await transaction
      .insertInto("meta")
      .values({ name: SET, value: set.fingerprint })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: set.fingerprint }))
      .execute();
    await transaction.deleteFrom("scanners").execute();
    await transaction.deleteFrom("refusedScanners").execute();
    for (const [position, { fingerprint, file, isOwn, ...scanner }] of set.scanners.entries()) {
      const { id, version, title, meaning, category, severity, scope } = scanner;
      const info = { id, version, title, meaning, category, severity, scope };
      const row = { fingerprint, file: toColumnText(file), isOwn: isOwn ? 1 : 0, info: encodeValue(info) };
      await transaction
        .insertInto("scanners")
        .values({ id, position, ...row })
        .execute();
    }
    for (const [position, { file, line, reason }] of set.refused.entries()) {
      const row = { file: toColumnText(file), line, reason: toColumnText(reason) };
      await transaction
        .insertInto("refusedScanners")
        .values({ position, ...row })
        .execute();
    }
    await transaction.updateTable("jobs").set({ hasScans: 0 }).execute();
  });
}

export interface ScannedTrial {
  readonly position: number;
  readonly key: string;
  readonly stamp: string;
  readonly files: readonly string[];
  readonly extent: ScanExtent;
  readonly done: readonly string[];
  readonly ran: readonly string[];
  readonly results: readonly ScanResult[];
}

export async function readScannedTrials(
  store: IndexStore,
  jobRowId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Pick<ScannedTrial, "stamp" | "files" | "done" | "extent">>> {
  const rows = await store.db
    .selectFrom("scannedTrials")
    .select(["key", "stamp", "files", "done", "extent"])
    .where("jobRowId", "=", jobRowId)
    .where(isAmong(store, "key", keys))
    .execute();
  return new Map(
    rows.map(({ key, stamp, files, done, extent }) => [
      key,
      { stamp, files: JSON.parse(files) as string[], done: done.split(" "), extent },
    ]),
  );
}

/** @returns false when the job has changed since */
export async function writeScans(
  store: IndexStore,
  job: PendingJob,
  trials: readonly ScannedTrial[],
): Promise<boolean> {
  return changePending(store, job, "hasScans", async (transaction) => {
    const keys = isAmong(
      store,
      "key",
      trials.map(({ key }) => key),
    );
    await transaction.deleteFrom("scannedTrials").where("jobRowId", "=", job.id).where(keys).execute();
    for (const { key, ran } of trials) {
      await transaction
        .deleteFrom("trialScans")
        .where("jobRowId", "=", job.id)
        .where("key", "=", toColumnText(key))
        .where(isAmong(store, "scanner", ran))
        .execute();
    }
    const scanned = trials.map(({ position, key, stamp, files, extent, done }) => ({
      position,
      key,
      stamp,
      files: JSON.stringify(files),
      done: done.join(" "),
      extent,
    }));
    const found: JobRow<"trialScans">[] = trials.flatMap(({ position, key, results }) =>
      results.map(({ places, ...result }) => ({ position, key, ...result, places: encodeValue(places) })),
    );
    await insertJobRows(store, transaction, "scannedTrials", job.id, scanned);
    await insertJobRows(store, transaction, "trialScans", job.id, found);
  });
}

/**
 * Removes results of trials and scanners that are gone, and marks the job as scanned.
 * @returns false when the job has changed since
 */
export async function finishScans(
  store: IndexStore,
  job: PendingJob,
  prepareIssues: (
    stopped: readonly Pick<Stored<"trialScans">, "key" | "scanner" | "stopped">[],
  ) => readonly JobRow<"issues">[],
): Promise<boolean> {
  return changePending(store, job, "hasScans", async (transaction) => {
    const isOfJob = sql`${sql.ref("jobRowId")} = ${job.id}`;
    await sql`delete from ${sql.table("scannedTrials")} where ${isOfJob} and position is null`.execute(
      transaction,
    );
    await sql`delete from ${sql.table("trialScans")} where ${isOfJob} and
      (position is null or scanner not in (select id from ${sql.table("scanners")}))`.execute(transaction);
    const stopped = await transaction
      .selectFrom("trialScans")
      .select(["key", "scanner", "stopped"])
      .where("jobRowId", "=", job.id)
      .where("stopped", "is not", null)
      .orderBy("position")
      .orderBy("scanner")
      .execute();
    await replaceIssues(store, transaction, job.id, "scans", prepareIssues(stopped));
    await transaction.updateTable("jobs").set({ hasScans: 1 }).where("id", "=", job.id).execute();
  });
}
