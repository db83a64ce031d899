import type Database from "better-sqlite3";

import { makeDamageError } from "./store-error";
import type { SqliteTarget } from "./target";

/** Problems of single rows, which their readers report: the file is not damaged. */
const ABOUT_A_ROW = /^(?:NULL value in|non-\w+ value in|CHECK constraint failed)/;
const MOST_FINDINGS = 100;

/**
 * Reads every page of a file and compares its structure, which nothing else does until a damaged page is needed. About 0.1 s
 * for 100,000 judgments.
 *
 * @throws StoreError `store_corrupt` when the file is damaged, or SQLite's error
 */
export function checkPages(file: Database.Database, target: SqliteTarget): void {
  const found = file
    .prepare(`PRAGMA quick_check(${String(MOST_FINDINGS)})`)
    .pluck()
    .all()
    .map(String);
  const damage = found.find((one) => one !== "ok" && !ABOUT_A_ROW.test(one));
  if (damage !== undefined) throw makeDamageError(target, "damaged", damage);
}
