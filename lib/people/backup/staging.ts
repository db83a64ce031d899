import { join } from "node:path";

import { type ControlledTransaction, sql } from "kysely";

import {
  listTables,
  migrate,
  type OpenDatabase,
  type StoreKind,
  type StoreTable,
  toStoreError,
} from "@/lib/store/database";

import { FILE_LINE, ROW_LINE, STORE_LINE, TABLE_LINE } from "./format";
import { isOwnFileName, type OwnFile } from "./own-files";
import { type BackupLine, readBackup, refuseBackup } from "./read-backup";
import { type AnyTables, listMigrationNames, openStore, STORES } from "./stores";

/** Bytes of all files: rules have 1 MiB at most, and 200 scanners 64 KiB each. */
const MOST_FILE_BYTES = 16 << 20;

/** Contents of a backup in temporary SQLite stores, migrated to the schema of this program. */
export interface Staged {
  readonly stores: readonly StagedStore[];
  readonly files: readonly OwnFile[];
}

export interface StagedStore {
  readonly kind: StoreKind;
  readonly open: OpenDatabase<AnyTables>;
}

interface Filling extends StagedStore {
  readonly transaction: ControlledTransaction<AnyTables>;
  readonly tables: Map<string, StoreTable>;
}

/**
 * Reads a backup into a folder, row by row under the constraints of its own schema, so that errors are found before a store is
 * touched.
 *
 * @param folder - for the stores; the caller removes it
 * @param onOpen - called with every opened store, which the caller closes
 * @throws ValidationError for an incomplete backup, one of a newer Assay, or an invalid line
 */
export async function stageBackup(
  file: string,
  folder: string,
  onOpen: (store: OpenDatabase<AnyTables>) => void,
): Promise<Staged> {
  const staging = new Staging(file, folder, onOpen);
  for await (const line of readBackup(file)) await staging.take(line);
  return staging.end();
}

class Staging {
  private readonly file: string;
  private readonly folder: string;
  private readonly onOpen: (store: OpenDatabase<AnyTables>) => void;
  private readonly stores: StagedStore[] = [];
  private readonly files: OwnFile[] = [];
  private filling: Filling | null = null;
  private table: { readonly name: string; readonly columns: readonly string[] } | null = null;

  constructor(file: string, folder: string, onOpen: (store: OpenDatabase<AnyTables>) => void) {
    this.file = file;
    this.folder = folder;
    this.onOpen = onOpen;
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

  async end(): Promise<Staged> {
    await this.endStore();
    return { stores: this.stores, files: this.files };
  }

  private async beginStore(number: number, name: string, migrations: readonly string[]): Promise<void> {
    await this.endStore();
    const kind = STORES.find((one) => one.name === name);
    const known = kind === undefined ? [] : listMigrationNames(kind);
    const unknown = migrations.filter((one) => !known.includes(one));
    if (kind === undefined || unknown.length > 0) {
      const what = kind === undefined ? `the store "${name}"` : `the schema ${unknown.join(", ")}`;
      throw refuseBackup(
        this.file,
        `was written by a newer Assay: this one does not know ${what}. Update Assay.`,
      );
    }
    const isTwice = this.stores.some((one) => one.kind === kind);
    if (isTwice || migrations.length === 0 || migrations.some((one, at) => one !== known[at]))
      throw this.refuseLine(number, "begins a store that cannot be");
    const place = join(this.folder, `${name}.sqlite`);
    const open = await openStore(kind, { engine: "sqlite", file: place, synchronous: "NORMAL" }, migrations);
    this.onOpen(open);
    const tables = new Map((await listTables(open)).map((table) => [table.name, table]));
    const transaction = await open.db.startTransaction().execute();
    // Each engine lists its tables in an order of its own.
    await sql`pragma defer_foreign_keys = on`.execute(transaction);
    this.filling = { kind, open, transaction, tables };
    this.stores.push({ kind, open });
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
      throw refuseBackup(
        this.file,
        `lacks tables of the store "${kind.name}": ${[...tables.keys()].join(", ")}.`,
      );
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
      throw refuseBackup(this.file, `${what}: ${error instanceof Error ? error.message : ""}.`, error);
    }
  }

  private refuseLine(number: number, why: string): Error {
    return refuseBackup(this.file, `has a line ${number} that ${why}.`);
  }
}
