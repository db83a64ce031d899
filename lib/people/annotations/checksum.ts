import { hash } from "node:crypto";

import { toColumnText } from "@/lib/store/database";

import type { UnreadableRow } from "./unreadable-row";

/** Append-only tables. A table of a later migration needs the column `checksum` from its start. */
export const STATEMENT_TABLES = [
  "annotation_version",
  "codebook_change",
  "review_queue",
  "review_queue_item",
  "review_queue_event",
  "statement",
] as const;

export type StatementTable = (typeof STATEMENT_TABLES)[number];

export type StoredRow = Readonly<Record<string, unknown>>;

/** Base64 characters, 132 bits. */
const LENGTH = 22;

/**
 * Returns part of the SHA-256 of a row, equal on both engines. Skips the number, which the database gives, and nulls: a later
 * column keeps the checksums of earlier rows if its default is null.
 */
export function computeChecksum(table: string, row: StoredRow): string {
  const number = table === "codebook_change" ? "version" : "seq";
  const columns = Object.keys(row)
    .filter((name) => name !== number && name !== "checksum" && (row[name] ?? null) !== null)
    .toSorted()
    .map((name) => [name, typeof row[name] === "string" ? toColumnText(row[name]) : row[name]]);
  return hash("sha256", JSON.stringify([table, columns]), "base64").slice(0, LENGTH);
}

/** True also for a row of a file from before there were checksums, which has no such column. */
export function isIntact(table: string, row: StoredRow): boolean {
  return row["checksum"] === undefined || row["checksum"] === computeChecksum(table, row);
}

export const MISMATCH = "does not match its checksum";

/** Omits the browser key, which is never shown or exported. */
export function describeDamaged(table: string, row: StoredRow): UnreadableRow {
  const { browser_key_hash: _, actor: __, checksum: ___, ...columns } = row;
  const seq = Number(row["seq"] ?? row["position"] ?? row["version"]);
  return { seq, problem: `of the table ${table} ${MISMATCH}`, columns };
}
