import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ControlledTransaction } from "kysely";

import { AppError, ValidationError } from "@/lib/core/domain/app-error";
import {
  type ColumnValue,
  continueNumbers,
  type DataEnvironment,
  describeTarget,
  listFilled,
  listTables,
  lockTables,
  type OpenDatabase,
  readRows,
  refuseJobFolder,
  resolveDataFolder,
  resolveTarget,
  type StoreTable,
  toColumnText,
  toStoreError,
} from "@/lib/store/database";

import { listOwnFiles, type OwnFile, readOwnFile, writeOwnFiles } from "./own-files";
import { refuseBackup } from "./read-backup";
import { type Staged, stageBackup, type StagedStore } from "./staging";
import { type AnyTables, isThere, openStore, STORES } from "./stores";
import type { BackupPart } from "./write-backup";

export interface Restored {
  readonly parts: readonly BackupPart[];
  /** Texts with NUL, which PostgreSQL does not hold; it became U+FFFD. */
  readonly nChangedTexts: number;
}

/**
 * Restores a backup into an empty environment, all or nothing. The whole file is read first, then written in one transaction per
 * store; these commit together. A failure leaves empty stores at most. Backups of an older schema are migrated.
 *
 * @throws ValidationError for an incomplete backup, one of a newer Assay, or an invalid line; also if the environment is not empty
 * @throws StoreError
 */
export async function restoreBackup(file: string, environment: DataEnvironment): Promise<Restored> {
  const dataFolder = resolveDataFolder(environment);
  refuseJobFolder(dataFolder);
  await refuseFilled(environment);
  return withStaged(file, async ({ stores, files }) => {
    const missing = pickMissing(dataFolder, files);
    const opened: OpenDatabase<AnyTables>[] = [];
    const transactions: ControlledTransaction<AnyTables>[] = [];
    let removeFiles: (() => void) | null = null;
    try {
      const parts: BackupPart[] = [];
      let nChangedTexts = 0;
      for (const staged of stores) {
        const open = await openStore(staged.kind, resolveTarget(staged.kind.place, environment));
        opened.push(open);
        const transaction = await open.db.startTransaction().execute();
        transactions.push(transaction);
        const copied = await copyStore(staged, open, transaction);
        nChangedTexts += copied.nChangedTexts;
        const place = describeTarget(open.target);
        parts.push({ kind: "store", name: staged.kind.name, place, nRows: copied.nRows });
      }
      removeFiles = writeOwnFiles(dataFolder, missing);
      for (const transaction of transactions) await transaction.commit().execute();
      parts.push(...files.map(({ name }) => ({ kind: "file", name }) as const));
      return { parts, nChangedTexts };
    } catch (error) {
      for (const transaction of transactions)
        if (!transaction.isCommitted && !transaction.isRolledBack) await transaction.rollback().execute();
      removeFiles?.();
      const last = opened.at(-1);
      const mapped = last === undefined ? error : toStoreError(error, last.target);
      if (mapped instanceof AppError || !(mapped instanceof Error)) throw mapped;
      throw refuseBackup(file, `holds what could not be written: ${mapped.message}.`, error);
    } finally {
      for (const open of opened) await open.close();
    }
  });
}

/**
 * Reads a new backup as a restore does, without restoring.
 *
 * @throws ValidationError if the stored data cannot be restored, such as rows that were edited by hand
 */
export async function checkBackup(file: string): Promise<void> {
  try {
    await withStaged(file, () => Promise.resolve());
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(
      `There is no backup, since what is stored could not be restored: ${error.message} Copy the stores as they are instead.`,
      {},
    );
  }
}

async function withStaged<T>(file: string, work: (staged: Staged) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "assay-restore-"));
  const opened: OpenDatabase<AnyTables>[] = [];
  try {
    return await work(await stageBackup(file, folder, (open) => opened.push(open)));
  } finally {
    for (const open of opened) await open.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates no file. @throws ValidationError that names the tables that have rows */
async function refuseFilled(environment: DataEnvironment): Promise<void> {
  for (const kind of STORES) {
    const target = resolveTarget(kind.place, environment);
    if (!isThere(target)) continue;
    const open = await openStore(kind, target);
    try {
      await refuseFilledStore(open, open.db, await listTables(open));
    } finally {
      await open.close();
    }
  }
}

/**
 * Returns the files that are missing. Identical existing files stay, as when a team moves to a database and keeps its data folder.
 *
 * @throws ValidationError that names any other existing file of the user
 */
function pickMissing(dataFolder: string, files: readonly OwnFile[]): readonly OwnFile[] {
  const there = listOwnFiles(dataFolder).map((name) => readOwnFile(dataFolder, name));
  const isSame = (one: OwnFile) =>
    files.some(({ name, bytes }) => name === one.name && Buffer.compare(bytes, one.bytes) === 0);
  const others = there.filter((one) => !isSame(one)).map(({ name }) => name);
  if (others.length > 0) throw refusePlace(dataFolder, others);
  return files.filter(({ name }) => there.every((one) => one.name !== name));
}

/** @param db - reads the store in the transaction that then writes it */
async function refuseFilledStore(
  { target }: OpenDatabase<AnyTables>,
  db: OpenDatabase<AnyTables>["db"],
  tables: readonly StoreTable[],
): Promise<void> {
  const filled = await listFilled(db, tables);
  if (filled.length > 0) throw refusePlace(describeTarget(target), filled);
}

function refusePlace(place: string, what: readonly string[]): ValidationError {
  return new ValidationError(
    `${place} is not empty: it has ${what.join(", ")}. A backup goes only where nothing is: name an empty data folder with --data or ` +
      "an empty database in DATABASE_URL, or move away what is there.",
    {},
  );
}

async function copyStore(
  { open: staged }: StagedStore,
  open: OpenDatabase<AnyTables>,
  transaction: ControlledTransaction<AnyTables>,
): Promise<{ readonly nRows: number; readonly nChangedTexts: number }> {
  const tables = await listTables({ ...open, db: transaction });
  await lockTables(transaction, open.engine, tables);
  await refuseFilledStore(open, transaction, tables);
  let nRows = 0;
  let nChangedTexts = 0;
  const toHeld = (value: ColumnValue): ColumnValue => {
    if (open.engine === "sqlite" || typeof value !== "string") return value;
    const text = toColumnText(value);
    if (text !== value) nChangedTexts += 1;
    return text;
  };
  // In creation order, so that rows precede those that refer to them.
  for (const table of await listTables(staged)) {
    for await (const rows of readRows(staged.db, table)) {
      nRows += rows.length;
      await open.insertRows(
        transaction,
        table.name,
        table.columns,
        rows.map((row) => row.map(toHeld)),
      );
    }
  }
  for (const table of tables) await continueNumbers(transaction, open, table);
  return { nRows, nChangedTexts };
}
