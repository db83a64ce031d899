import { hash } from "node:crypto";

import { toColumnText } from "@/lib/store/database";

import type { UnreadableRow } from "./unreadable-row";

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

export function nameNumber(table: string): "version" | "position" | "seq" {
  if (table === "review_queue_item") return "position";
  return table === "codebook_change" ? "version" : "seq";
}

/** True also for a row of a file from before there were checksums, which has no such column. */
export function isIntact(table: string, row: StoredRow): boolean {
  return row["checksum"] === undefined || row["checksum"] === computeChecksum(table, row);
}

export const MISMATCH = "does not match its checksum";

/** Omits the browser key, which is never shown or exported. */
export function describeDamaged(row: StoredRow): UnreadableRow {
  const { actor: _, checksum: __, ...columns } = row;
  return { seq: Number(row["seq"]), problem: `of the table statement ${MISMATCH}`, columns };
}
