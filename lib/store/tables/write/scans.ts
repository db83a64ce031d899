import { deflateRawSync } from "node:zlib";

import { type Transaction, sql } from "kysely";

import type { ScanExtent, ScanResult, ScannerInfo } from "@/lib/core/domain/scanner";
import type { TextPiece } from "@/lib/core/domain/search-excerpt";
import { listWords } from "@/lib/core/domain/search-text";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { isAmong } from "../read/query";
import { encodeValue } from "../schema/codec";
import type { IndexTables, Stored } from "../schema/tables";
import { writeMeta } from "./catalog-facts";
import { type PendingJob, changePending, replaceIssues } from "./derived-details";
import { type JobRow, deleteTexts, insertJobRows, ofJob } from "./source";

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
    await writeMeta(transaction, { [SET]: set.fingerprint });
    await transaction.deleteFrom("scanners").execute();
    await transaction.deleteFrom("refusedScanners").execute();
    const scanners = set.scanners.map(({ fingerprint, file, isOwn, ...scanner }, position) => {
      const { id, version, title, meaning, category, severity, scope } = scanner;
      const info = encodeValue({ id, version, title, meaning, category, severity, scope });
      return { id, position, fingerprint, file, isOwn: isOwn ? 1 : 0, info };
    });
    await insertJobRows(store, transaction, "scanners", null, scanners);
    const refused = set.refused.map((one, position) => ({ ...one, position }));
    await insertJobRows(store, transaction, "refusedScanners", null, refused);
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

export async function readScannedTrials(store: IndexStore, jobRowId: number, keys: readonly string[]) {
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
export async function writeScans(store: IndexStore, job: PendingJob, trials: readonly ScannedTrial[]) {
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
        .where((where) => where.and({ jobRowId: job.id, key: toColumnText(key) }))
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

export interface TrialTexts {
  readonly position: number;
  readonly key: string;
  /** Stamp of the files that were read; empty to force a new reading. */
  readonly stamp: string;
  readonly files: readonly string[];
  /** See `TrialFingerprint.trajectory`; null unless the trial is finished. */
  readonly trajectoryDigest: string | null;
  readonly nSteps: number | null;
  readonly nErrors: number | null;
  readonly isCut: boolean;
  readonly pieces: readonly TextPiece[];
}

export async function readTextStamps(store: IndexStore, jobRowId: number, keys: readonly string[]) {
  const rows = await store.db
    .selectFrom("trialTexts")
    .select(["key", "stamp", "files"])
    .where("jobRowId", "=", jobRowId)
    .where(isAmong(store, "key", keys))
    .execute();
  // As `insertTexts` wrote them.
  return new Map(rows.map(({ key, stamp, files }) => [key, { stamp, files: JSON.parse(files) as string[] }]));
}

/** @returns false when the job has changed since */
export async function writeTexts(store: IndexStore, job: PendingJob, trials: readonly TrialTexts[]) {
  return changePending(store, job, "hasTexts", async (transaction) => {
    const known = isAmong(
      store,
      "key",
      trials.map(({ key }) => key),
    );
    await deleteTexts(store, transaction, sql`${ofJob(job.id)} and ${known}`);
    for (const trial of trials) await insertTexts(store, transaction, job.id, trial);
  });
}

/** Removes the texts of trials that are gone and marks the job as searchable. @returns false when the job has changed since */
export async function finishTexts(store: IndexStore, job: PendingJob): Promise<boolean> {
  return changePending(store, job, "hasTexts", async (transaction) => {
    await deleteTexts(store, transaction, sql`${ofJob(job.id)} and position is null`);
    await transaction.updateTable("jobs").set({ hasTexts: 1 }).where("id", "=", job.id).execute();
  });
}

async function insertTexts(
  { engine }: IndexStore,
  db: Transaction<IndexTables>,
  jobRowId: number,
  { pieces, isCut, key, files, ...trial }: TrialTexts,
): Promise<void> {
  const { id } = await db
    .insertInto("trialTexts")
    .values({
      ...trial,
      jobRowId,
      key: toColumnText(key),
      files: JSON.stringify(files),
      isCut: isCut ? 1 : 0,
      texts: encodeTexts(pieces),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const names = pieces.filter(({ kind }) => kind !== "step").flatMap(({ text }) => listWords(text));
  const body = pieces.filter(({ kind }) => kind === "step").flatMap(({ text }) => listWords(text));
  const table = sql.table("trialSearch");
  if (engine === "sqlite") {
    await sql`insert into ${table} (rowid, names, body) values (${id}, ${names.join(" ")}, ${body.join(" ")})`.execute(
      db,
    );
    return;
  }
  for (const [isNames, words] of [[true, names] as const, [false, body] as const]) {
    for (let start = 0; start < words.length; start += WORDS_A_ROW) {
      const vector = writeVector(words.slice(start, start + WORDS_A_ROW + SHARED_WORDS));
      await sql`insert into ${table} values (${id}, ${isNames}, ${vector}::tsvector)`.execute(db);
    }
  }
}

/** PostgreSQL keeps 256 positions of a word in one row, none beyond 16,383, and 1 MiB: 400 bytes per word and pair. */
const WORDS_A_ROW = 2_500;
/** Overlap of two rows, so that a phrase of at most one word more is whole in one of them. */
const SHARED_WORDS = 20;

/**
 * Writes words with positions, and each pair with the next word as one word without a position. A leading space keeps pairs out of
 * prefix searches; the word index has no positions. Bypasses the database's parser, which would split words such as 0x1f.
 */
function writeVector(words: readonly string[]): string {
  const next = words.slice(1);
  return [
    ...words.map((word, at) => `'${word}':${String(at + 1)}`),
    ...next.map((word, at) => `' ${words[at] ?? ""} ${word}'`),
  ].join(" ");
}

/** Deflated JSON in Base64, a quarter of the text. */
function encodeTexts(pieces: readonly TextPiece[]): string {
  const plain = pieces.map(({ kind, key, text }) => [kind, key, text]);
  return deflateRawSync(JSON.stringify(plain)).toString("base64");
}
