import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type ControlledTransaction, sql } from "kysely";

import { AppError, ValidationError } from "@/lib/core/domain/app-error";
import { ANNOTATION_STORE } from "@/lib/people/annotations";
import { EARLIER_VIEW_STORE, openViewStore } from "@/lib/people/views";
import {
  type ColumnValue,
  continueNumbers,
  type DatabaseTarget,
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
  migrate,
  type StoreKind,
} from "@/lib/store/database";

import {
  FILE_LINE,
  ROW_LINE,
  STORE_LINE,
  TABLE_LINE,
  refuseBackup,
  type BackupLine,
  readBackup,
} from "./read-backup";
import {
  listOwnFiles,
  type OwnFile,
  readOwnFile,
  writeOwnFiles,
  isOwnFileName,
  ALL_STORES,
  type AnyTables,
  isThere,
  listMigrationNames,
  listStores,
  openStore,
} from "./stores";
import type { BackupPart } from "./write-backup";

/**
 * Restores a backup into an empty environment, all or nothing. The whole file is read first, then written in one transaction per
 * store; these commit together. A failure leaves empty stores at most. Backups of an older schema are migrated. `nChangedTexts`
 * counts texts with NUL, which PostgreSQL does not hold; it became U+FFFD.
 */
export async function restoreBackup(file: string, environment: DataEnvironment) {
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

/** Reads a new backup as a restore does, without restoring. */
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
  const staging = new Staging(file, folder);
  try {
    for await (const line of readBackup(file)) await staging.take(line);
    return await work(await staging.end());
  } finally {
    for (const open of staging.opened) await open.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Creates no file. */
async function refuseFilled(environment: DataEnvironment): Promise<void> {
  for (const kind of await listStores(environment)) {
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
) {
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
) {
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
      const held = rows.map((row) => row.map(toHeld));
      await open.insertRows(transaction, table.name, table.columns, held);
    }
  }
  for (const table of tables) await continueNumbers(transaction, open, table);
  return { nRows, nChangedTexts };
}

/** Bytes of all files: rules have 1 MiB at most, and 200 scanners 64 KiB each. */
const MOST_FILE_BYTES = 16 << 20;

interface StagedStore {
  readonly kind: StoreKind;
  readonly open: OpenDatabase<AnyTables>;
}

interface Filling extends StagedStore {
  readonly transaction: ControlledTransaction<AnyTables>;
  readonly tables: Map<string, StoreTable>;
}

type Staged = Awaited<ReturnType<Staging["end"]>>;

/**
 * Reads a backup into temporary SQLite stores, row by row under the constraints of its own schema, so that errors are found before
 * a store is touched. They are migrated to the schema of this program.
 */
class Staging {
  readonly opened: OpenDatabase<AnyTables>[] = [];
  readonly #file: string;
  readonly #folder: string;
  private stores: readonly StagedStore[] = [];
  private readonly files: OwnFile[] = [];
  private filling: Filling | null = null;
  private table: { readonly name: string; readonly columns: readonly string[] } | null = null;

  constructor(file: string, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  async take({ number, value }: BackupLine): Promise<void> {
    if (Array.isArray(value)) return this.addRow(number, value);
    const store = STORE_LINE.safeParse(value);
    if (store.success) return this.beginStore(number, store.data.store, store.data.migrations);
    const table = TABLE_LINE.safeParse(value);
    if (table.success) {
      this.beginTable(number, table.data.table, table.data.columns);
      return;
    }
    const own = FILE_LINE.safeParse(value);
    if (!own.success) throw this.refuseLine(number, "is none that this Assay knows");
    const { file: name, base64 } = own.data;
    if (!isOwnFileName(name) || this.files.some((one) => one.name === name))
      throw this.refuseLine(number, `names a file that cannot be restored`);
    this.files.push({ name, bytes: Buffer.from(base64, "base64") });
    if (this.files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MOST_FILE_BYTES)
      throw this.refuseLine(number, `exceeds the ${MOST_FILE_BYTES >> 20} MiB that files may have together`);
  }

  async end() {
    await this.endStore();
    if (this.stores.some(({ kind }) => kind === EARLIER_VIEW_STORE)) await this.takeInViews();
    return { stores: this.stores, files: this.files };
  }

  private async takeInViews(): Promise<void> {
    const target = this.placeStore(ANNOTATION_STORE);
    const views = openViewStore(target);
    try {
      await views.takeIn();
    } finally {
      await views.close();
    }
    this.stores = this.stores.filter(({ kind }) => kind !== EARLIER_VIEW_STORE);
    if (this.stores.some(({ kind }) => kind === ANNOTATION_STORE)) return;
    const open = await openStore(ANNOTATION_STORE, target);
    this.opened.push(open);
    this.stores = [{ kind: ANNOTATION_STORE, open }, ...this.stores];
  }

  private placeStore({ place }: StoreKind): DatabaseTarget {
    return { engine: "sqlite", file: join(this.#folder, place.fileName), synchronous: "NORMAL" };
  }

  private async beginStore(number: number, name: string, migrations: readonly string[]): Promise<void> {
    await this.endStore();
    const kind = ALL_STORES.find((one) => one.name === name);
    const known = kind === undefined ? [] : listMigrationNames(kind);
    const unknown = migrations.filter((one) => !known.includes(one));
    if (kind === undefined || unknown.length > 0) {
      const what = kind === undefined ? `the store "${name}"` : `the schema ${unknown.join(", ")}`;
      throw this.refuse(`was written by a newer Assay: this one does not know ${what}. Update Assay.`);
    }
    const isTwice = this.stores.some((one) => one.kind === kind);
    if (isTwice || migrations.length === 0 || migrations.some((one, at) => one !== known[at]))
      throw this.refuseLine(number, "begins a store that cannot be");
    const open = await openStore(kind, this.placeStore(kind), migrations);
    this.opened.push(open);
    const tables = new Map((await listTables(open)).map((table) => [table.name, table]));
    const transaction = await open.db.startTransaction().execute();
    // Each engine lists its tables in an order of its own.
    await sql`pragma defer_foreign_keys = on`.execute(transaction);
    this.filling = { kind, open, transaction, tables };
    this.stores = [...this.stores, { kind, open }];
  }

  private beginTable(number: number, name: string, columns: readonly string[]): void {
    const table = this.filling?.tables.get(name);
    const isSame =
      table?.columns.length === columns.length && table.columns.every((one) => columns.includes(one));
    if (!isSame)
      throw this.refuseLine(number, "begins a table that its store does not have, or has with other columns");
    this.filling?.tables.delete(name);
    this.table = { name, columns };
  }

  private async addRow(number: number, value: unknown): Promise<void> {
    const row = ROW_LINE.safeParse(value);
    const { table, filling } = this;
    if (!row.success || table === null || filling === null || row.data.length !== table.columns.length)
      throw this.refuseLine(number, "is no row");
    const { open, transaction } = filling;
    await this.refuseWrong(`has a line ${number} that cannot be a row of ${table.name}`, open, () =>
      open.insertRows(transaction, table.name, table.columns, [row.data]),
    );
  }

  private async endStore(): Promise<void> {
    const { filling } = this;
    this.filling = null;
    this.table = null;
    if (filling === null) return;
    const { kind, open, transaction, tables } = filling;
    if (tables.size > 0)
      throw this.refuse(`lacks tables of the store "${kind.name}": ${[...tables.keys()].join(", ")}.`);
    await this.refuseWrong(`has rows in the store "${kind.name}" that refer to none`, open, () =>
      transaction.commit().execute(),
    );
    await migrate(open, kind.listMigrations("sqlite"));
  }

  /** Runs `work` and reports constraint errors as errors of the file. */
  private async refuseWrong(
    what: string,
    { target }: OpenDatabase<AnyTables>,
    work: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!/^SQLITE_(?:CONSTRAINT|MISMATCH)/.test(code)) throw toStoreError(error, target);
      throw this.refuse(`${what}: ${error instanceof Error ? error.message : ""}.`, error);
    }
  }

  private refuseLine(number: number, why: string): Error {
    return this.refuse(`has a line ${number} that ${why}.`);
  }

  private refuse(why: string, cause?: unknown): Error {
    return refuseBackup(this.#file, why, cause);
  }
}
