import { crc32 } from "node:zlib";

import { z } from "zod";

/**
 * A backup is gzip: JSON lines, then a second gzip member with the SHA-256 of all bytes before it, so that other programs can
 * decompress it too. The first line is the header. A line with `store` begins a store and one with `table` a table; the lists that
 * follow are its rows. A line with `file` is a file of the data folder.
 */
export const BACKUP_FORMAT = "assay.backup/1";

export const BACKUP_BEGIN = Buffer.from([0x1f, 0x8b, 0x08]);

export const HEADER_LINE = z.object({
  format: z.string(),
  assay: z.string(),
  /** UTC, ISO 8601. */
  created_at: z.string(),
});

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

export const TRAILER_LENGTH = makeTrailer("0".repeat(64)).length;
