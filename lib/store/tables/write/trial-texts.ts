import { deflateRawSync } from "node:zlib";

import { sql, type Transaction } from "kysely";

import type { TextPiece } from "@/lib/core/domain/search-excerpt";
import { listWords } from "@/lib/core/domain/search-text";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { isAmong } from "../read/query";
import type { IndexTables } from "../schema/tables";
import { changePending, type PendingJob } from "./derived-details";
import { deleteTexts, ofJob } from "./search-rows";

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

export async function readTextStamps(
  store: IndexStore,
  jobRowId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Pick<TrialTexts, "stamp" | "files">>> {
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
export async function writeTexts(
  store: IndexStore,
  job: PendingJob,
  trials: readonly TrialTexts[],
): Promise<boolean> {
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
