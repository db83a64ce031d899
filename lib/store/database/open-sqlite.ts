import { randomUUID } from "node:crypto";
import { accessSync, closeSync, constants, linkSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import Database from "better-sqlite3";
import {
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type TransactionSettings,
} from "kysely";

import { StoreError } from "@/lib/core/domain/app-error";

import { makeDamageError, makeUnfinishedError, mapFailures } from "./store-error";
import { type Prologue, type SqliteTarget, makeOwnFolder, refuseJobFolder } from "./target";

/** Marks a file as Assay's (`ASAY` in ASCII), so that no other program's database is written to. */
const APPLICATION_ID = 0x41534159;

/** Version of a new file. A migration raises it if programs without migrations must not touch the file. */
const FILE_VERSION = 1;
const NEWEST_FILE_VERSION = 2;

const BUSY_TIMEOUT_MS = 5_000;

/** Pages (4 KiB) in the log before a checkpoint, so that bulk writes are copied once. */
const CHECKPOINT_PAGES = 8_000;
const RETRY_MS = 4;

/** Opens or creates the file with foreign keys on. Waits for writes of other processes; durability is that of the target. */
export async function openSqlite<Tables>(target: SqliteTarget, prologue: Prologue | null = null) {
  const busyTimeoutMs = target.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  refuseJobFolder(dirname(target.file));
  makeOwnFolder(dirname(target.file));
  const stat = statSync(target.file, { throwIfNoEntry: false });
  // SQLite would treat it as new, and remove a log next to it that may hold everything.
  if (stat?.size === 0) throw makeDamageError(target, "empty, and Assay never leaves one empty");
  // SQLite would apply a log or journal next to it, which may hold a database.
  if (stat !== undefined && target.synchronous === "EXTRA" && !beginsAsDatabase(target.file))
    throw makeDamageError(target, "not a database");
  const isReadOnly = stat !== undefined && target.synchronous === "EXTRA" && !isWritable(target.file);
  // SQLite would only report that it cannot open the file.
  if (!isReadOnly) accessSync(dirname(target.file), constants.W_OK);
  if (stat === undefined) createFile(target.file);
  // Reopens on each try: two processes that both hold the file open would block each other's journal change.
  const file = await retryWhileBusy(busyTimeoutMs, () => openFile(target, isReadOnly));
  file.pragma(`busy_timeout = ${String(busyTimeoutMs)}`);
  if (prologue !== null) {
    for (const statement of prologue("main")) file.exec(statement);
    file.pragma("query_only = ON");
  }
  const dialect = createDialect(file, busyTimeoutMs);
  return { db: new Kysely<Tables>({ dialect: mapFailures(dialect, target) }), file };
}

function isWritable(path: string): boolean {
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Does not wait: SQLite's own wait does not cover a journal change, and would block the process. */
function openFile(target: SqliteTarget, isReadOnly: boolean): Database.Database {
  // SQLite cannot read a log without writing next to it.
  if (isReadOnly && statSync(`${target.file}-wal`, { throwIfNoEntry: false }) !== undefined)
    throw makeUnfinishedError(target);
  const file = new Database(target.file, { timeout: 0, readonly: isReadOnly });
  try {
    // Checked before any write: changing the journal is a write already.
    const isNew = file.transaction(() => checkOwner(file, target.file))();
    if (target.synchronous === "EXTRA") checkPages(file, target);
    if (isReadOnly) {
      // A file of an earlier release is migrated before it is read.
      const copy = new Database(file.serialize());
      file.close();
      return copy;
    }
    file.pragma(`journal_mode = ${target.synchronous === "EXTRA" ? "DELETE" : "WAL"}`);
    if (isNew) file.transaction(() => signFile(file, target.file)).immediate();
    file.pragma(`synchronous = ${target.synchronous}`);
    file.pragma("foreign_keys = ON");
    if (target.synchronous === "NORMAL") file.pragma(`wal_autocheckpoint = ${String(CHECKPOINT_PAGES)}`);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

const FILE_BEGIN = "SQLite format 3\0";

function beginsAsDatabase(path: string): boolean {
  const begin = Buffer.alloc(FILE_BEGIN.length);
  const descriptor = openSync(path, "r");
  try {
    readSync(descriptor, begin, 0, begin.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return begin.toString("latin1") === FILE_BEGIN;
}

/**
 * Creates the file under a temporary name and links it, so that a killed process never leaves an empty file, which would count as
 * damaged. Without hard links SQLite creates it on open.
 */
function createFile(path: string): void {
  const unfinished = `${path}.${randomUUID()}.new`;
  const file = new Database(unfinished);
  try {
    signFile(file, unfinished);
  } finally {
    file.close();
  }
  try {
    linkSync(unfinished, path);
  } catch (error) {
    // Another process may have created it first.
    if (!(error instanceof Error)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** True if the file is still empty; throws when it is not Assay's. */
function checkOwner(file: Database.Database, path: string): boolean {
  const version = Number(file.pragma("user_version", { simple: true }));
  const applicationId = Number(file.pragma("application_id", { simple: true }));
  const isEmpty = file.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (isEmpty && version === 0 && applicationId === 0) return true;
  if (applicationId !== APPLICATION_ID) {
    throw new StoreError(
      "store_foreign",
      `${path} is a database of another program. Move it away or set ASSAY_DATA to another folder.`,
    );
  }
  if (version > NEWEST_FILE_VERSION) {
    throw new StoreError(
      "store_too_new",
      `${path} was written by a newer Assay (version ${String(version)}, this one knows ${String(NEWEST_FILE_VERSION)}). Update Assay; the file was left as it is.`,
    );
  }
  return false;
}

function signFile(file: Database.Database, path: string): void {
  // Checked again under the lock: another process may have created the file meanwhile.
  if (!checkOwner(file, path)) return;
  file.pragma(`application_id = ${String(APPLICATION_ID)}`);
  file.pragma(`user_version = ${String(FILE_VERSION)}`);
}

/** Waits without blocking the process, unlike SQLite's own wait. */
async function retryWhileBusy<T>(busyTimeoutMs: number, work: () => T): Promise<T> {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (!isBusy || Date.now() >= deadline) throw error;
      await wait(RETRY_MS);
    }
  }
}

/**
 * Kysely's SQLite dialect with two differences. A transaction takes the write lock at its start: one that reads first fails at
 * once, without waiting, if another process wrote in between. Migrations run in one transaction, so that two migrating processes
 * wait for each other.
 */
function createDialect(file: Database.Database, busyTimeoutMs: number): Dialect {
  return Object.assign(new SqliteDialect({ database: file }), {
    createDriver: () => new ImmediateDriver(file, busyTimeoutMs),
    createAdapter: () => new TransactionalAdapter(),
  });
}

class ImmediateDriver extends SqliteDriver {
  readonly #file: Database.Database;
  readonly #busyTimeoutMs: number;

  constructor(file: Database.Database, busyTimeoutMs: number) {
    super({ database: file });
    this.#file = file;
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings?: TransactionSettings,
  ): Promise<void> {
    if (settings?.accessMode === "read only") return super.beginTransaction(connection);
    await retryWhileBusy(this.#busyTimeoutMs, () => {
      this.#file.pragma("busy_timeout = 0");
      try {
        this.#file.exec("begin immediate");
      } finally {
        this.#file.pragma(`busy_timeout = ${String(this.#busyTimeoutMs)}`);
      }
    });
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // A full disk ends a transaction; another rollback would hide the cause.
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Problems of single rows, which their readers report: the file is not damaged. */
const ABOUT_A_ROW = /^(?:(?:NULL|NUMERIC|TEXT|non-\w+) value in|CHECK constraint failed)/;

/**
 * Reads every page and checks the structure and indexes; SQLite otherwise finds damage only when it reads the page. About 0.15 s
 * for 100,000 judgments.
 */
function checkPages(file: Database.Database, target: SqliteTarget): void {
  // SQLite otherwise stops after 100 problems, which may all be of rows.
  for (const found of file.prepare("PRAGMA integrity_check(1000000000)").pluck().iterate())
    if (found !== "ok" && !ABOUT_A_ROW.test(String(found)))
      throw makeDamageError(target, "damaged", String(found));
}
