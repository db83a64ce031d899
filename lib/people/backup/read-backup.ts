import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { crc32, createGunzip } from "node:zlib";

import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import { countValues } from "@/lib/core/domain/count-values";

/**
 * A backup is gzip: JSON lines, then a second gzip member with the SHA-256 of all bytes before it, so that other programs can
 * decompress it too. The first line is the header. A line with `store` begins a store and one with `table` a table; the lists that
 * follow are its rows. A line with `file` is a file of the data folder.
 */
export const BACKUP_FORMAT = "assay.backup/1";

const BACKUP_BEGIN = Buffer.from([0x1f, 0x8b, 0x08]);

const HEADER_LINE = z.object({ format: z.string(), assay: z.string(), created_at: z.string() });

export const STORE_LINE = z.strictObject({ store: z.string(), migrations: z.array(z.string()) });
export const TABLE_LINE = z.strictObject({ table: z.string(), columns: z.array(z.string()) });
export const FILE_LINE = z.strictObject({ file: z.string(), base64: z.base64() });
export const ROW_LINE = z.array(z.union([z.string(), z.number(), z.null()]));

export function formatLine(
  value: z.infer<
    typeof HEADER_LINE | typeof STORE_LINE | typeof TABLE_LINE | typeof FILE_LINE | typeof ROW_LINE
  >,
): string {
  return `${JSON.stringify(value)}\n`;
}

/**
 * Makes the last gzip member of a backup, uncompressed and without time or system. The same hash gives the same bytes, and no
 * changed byte of a backup goes unnoticed.
 *
 * @param sha256 - of all bytes before it, in hex
 */
export function makeTrailer(sha256: string): Buffer {
  const text = Buffer.from(`{"sha256":"${sha256}"}\n`);
  const begin = Buffer.from([...BACKUP_BEGIN, 0, 0, 0, 0, 0, 0, 0xff]);
  // A final stored block: its length and the complement of the length.
  const block = Buffer.from([1, text.length, 0, 0xff - text.length, 0xff]);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(text), 0);
  end.writeUInt32LE(text.length, 4);
  return Buffer.concat([begin, block, text, end]);
}

const TRAILER_LENGTH = makeTrailer("0".repeat(64)).length;

export interface BackupLine {
  readonly number: number;
  readonly value: unknown;
}

/** Bytes per line; the codebook of 10,000 categories with the longest texts, a single value, is smaller. */
const LONGEST_LINE = 300_000_000;
/** JSON values per line; the widest table has 31 columns. Building 147 million crashes the process. */
const MOST_VALUES = 1_000;
const NEWLINE = 0x0a;

export function refuseBackup(file: string, why: string, cause?: unknown): ValidationError {
  const error = new ValidationError(`${file} ${why}`, {});
  error.cause = cause;
  return error;
}

/**
 * Reads a backup twice: first to verify the hash, then line by line.
 * @returns the lines after the header; one line and one chunk are in memory
 */
export async function* readBackup(file: string): AsyncGenerator<BackupLine> {
  const compressedBytes = await checkHash(file);
  const lines = splitLines(file, decompress(file, compressedBytes));
  const first = await lines.next();
  const header = HEADER_LINE.safeParse(first.value?.value);
  if (!header.success) throw refuseBackup(file, "is no backup of Assay.");
  if (header.data.format !== BACKUP_FORMAT)
    throw refuseBackup(
      file,
      `was written by Assay ${header.data.assay}, whose backups are newer. Update Assay.`,
    );
  yield* lines;
}

/** @returns the length before the trailer */
async function checkHash(file: string): Promise<number> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const length = size - TRAILER_LENGTH;
    const begin = await readAt(handle, 0, BACKUP_BEGIN.length);
    if (!begin.equals(BACKUP_BEGIN)) throw refuseBackup(file, "is no backup of Assay.");
    const hash = createHash("sha256");
    if (length > 0) {
      const bytes = handle.createReadStream({ start: 0, end: length - 1, autoClose: false });
      for await (const piece of bytes as AsyncIterable<Uint8Array>) hash.update(piece);
      const end = await readAt(handle, length, TRAILER_LENGTH);
      if (end.equals(makeTrailer(hash.digest("hex")))) return length;
    }
    throw refuseBackup(
      file,
      "is cut off or was changed: it does not have the SHA-256 that it was written with. Use another copy of it.",
    );
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position });
  return buffer.subarray(0, bytesRead);
}

async function* decompress(file: string, length: number): AsyncGenerator<Uint8Array> {
  const compressed = createReadStream(file, { end: length - 1 });
  const gunzip = createGunzip();
  compressed.on("error", (error) => gunzip.destroy(error));
  try {
    yield* compressed.pipe(gunzip) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw refuseBackup(file, "cannot be decompressed.", error);
  } finally {
    compressed.destroy();
  }
}

async function* splitLines(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<BackupLine, undefined> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      yield { number, value: parseLine(file, number, Buffer.concat([...parts, piece.subarray(from, end)])) };
      number += 1;
      parts = [];
      length = 0;
      from = end + 1;
    }
    parts.push(piece.subarray(from));
    length += piece.length - from;
    if (length > LONGEST_LINE) throw refuseBackup(file, `has a line ${number} that is too long.`);
  }
  if (length > 0) throw refuseBackup(file, `ends in the middle of line ${number}.`);
}

function parseLine(file: string, number: number, bytes: Buffer): unknown {
  if (countValues(bytes.toString("latin1"), MOST_VALUES) > MOST_VALUES)
    throw refuseBackup(file, `has a line ${number} of more than ${MOST_VALUES} values.`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    throw refuseBackup(file, `has a line ${number} that is no JSON.`, error);
  }
}
