import Database from "better-sqlite3";

import { AppError, StoreError } from "@/lib/domain/app-error";
import type { StoreFailure } from "@/lib/domain/app-error";

/** SQLite result codes and errno names by prefix, first match wins. */
const FAILURES: readonly (readonly [prefix: string, code: StoreFailure])[] = [
  ["SQLITE_BUSY", "store_locked"],
  ["SQLITE_LOCKED", "store_locked"],
  ["SQLITE_READONLY", "store_read_only"],
  ["SQLITE_PERM", "store_read_only"],
  ["SQLITE_FULL", "store_full"],
  ["SQLITE_CORRUPT", "store_corrupt"],
  ["SQLITE_NOTADB", "store_corrupt"],
  ["ENOSPC", "store_full"],
  ["EDQUOT", "store_full"],
  ["EROFS", "store_read_only"],
  ["EACCES", "store_read_only"],
  ["EPERM", "store_read_only"],
];

/** Sentence for each failure; the path follows the first words so that it is seen even when a line is cut. */
const SENTENCES: Readonly<Record<StoreFailure, (path: string) => string>> = {
  store_locked: (path) =>
    `The annotation store ${path} is locked by another program. Close it there and save again.`,
  store_read_only: (path) =>
    `The annotation store ${path} cannot be written: no permission, or a read-only disk.`,
  store_full: (path) => `The disk of the annotation store ${path} is full. Free some space and save again.`,
  store_corrupt: (path) =>
    `The annotation store ${path} is damaged or not a database. Keep the file, put a copy from a backup in its place, and try again.`,
  store_foreign: (path) => `${path} is a database of another program.`,
  store_too_new: (path) => `${path} was written by a newer Assay.`,
  store_inside_job: (path) => `${path} lies inside a job folder.`,
  store_unavailable: (path) => `The annotation store ${path} cannot be opened.`,
};

/** A failure of SQLite or the file system as a StoreError; errors of our own and programming errors pass through. */
export function toStoreError(error: unknown, path: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const cause = readCode(error);
  if (cause === null) return error;
  // A CHECK or trigger that fires is a fault in this code, not in the file.
  if (cause.startsWith("SQLITE_CONSTRAINT") || cause === "SQLITE_ERROR" || cause === "SQLITE_MISUSE")
    return error;
  const code = FAILURES.find(([prefix]) => cause.startsWith(prefix))?.[1] ?? "store_unavailable";
  const detail = code === "store_unavailable" ? ` (${error.message})` : "";
  return new StoreError(code, SENTENCES[code](path) + detail, { cause: error, context: { path, cause } });
}

function readCode(error: Error): string | null {
  if (error instanceof Database.SqliteError) return error.code;
  if ("code" in error && typeof error.code === "string" && /^E[A-Z0-9]+$/.test(error.code)) return error.code;
  return null;
}
