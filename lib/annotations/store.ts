import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";

import Database from "better-sqlite3";

import { refuseJobFolder, resolveDataFolder } from "@/lib/database";
import type { DataEnvironment } from "@/lib/database";

import { migrateStore } from "./migrations";
import { toStoreError } from "./store-failure";

/** Name of the annotation store inside the data folder. */
const STORE_FILE = "annotations.sqlite";

/** How long a write waits for another process before it says that the store is locked. */
const BUSY_TIMEOUT_MS = 3_000;

/** The open store. Made by {@link openAnnotationStore}; verbs take it as their first argument. */
export interface AnnotationStore {
  /** Absolute path of the database file. */
  readonly path: string;
  /** Runs `work` on the open database; failures come out as StoreError. Only verbs of this folder call it. */
  readonly run: <T>(work: (db: Database.Database) => T) => T;
  /** Like `run`, but gives `empty` and creates nothing when there is no store yet. */
  readonly read: <T>(empty: T, work: (db: Database.Database) => T) => T;
  /** Closes the file; the next use opens it again. */
  readonly close: () => void;
}

/** Where the store is and how patient it is. */
export interface StoreOptions {
  /** Absolute; by default from the environment, see {@link resolveDataFolder}. */
  readonly dataFolder?: string;
  readonly environment?: DataEnvironment;
  readonly busyTimeoutMs?: number;
}

/**
 * Handles of files that were removed or replaced while open. They are kept, not closed: SQLite would tidy up by name on
 * closing, and the write-ahead log of that name may belong to the file that took the place.
 */
const abandoned: Database.Database[] = [];

interface OpenFile {
  readonly db: Database.Database;
  readonly fileId: string;
}

/**
 * The annotation store of the data folder. The file is opened at the first use, created and migrated if needed, and
 * opened again when it was replaced or removed meanwhile, so that a write never goes to a file nobody can see.
 *
 * @throws StoreError on use, never here
 */
export function openAnnotationStore(options: StoreOptions = {}): AnnotationStore {
  const dataFolder = options.dataFolder ?? resolveDataFolder(options.environment ?? process.env);
  const path = join(dataFolder, STORE_FILE);
  let open: OpenFile | null = null;

  const close = (): void => {
    open?.db.close();
    open = null;
  };
  const run = <T>(work: (db: Database.Database) => T): T => {
    try {
      if (open !== null && readFileId(path) !== open.fileId) {
        abandoned.push(open.db);
        open = null;
      }
      open ??= openFile(dataFolder, path, options.busyTimeoutMs ?? BUSY_TIMEOUT_MS);
      return work(open.db);
    } catch (error) {
      const mapped = toStoreError(error, path);
      // After a failure of the file the handle may be stuck in it; the next use starts afresh.
      if (mapped !== error) close();
      throw mapped;
    }
  };
  const read = <T>(empty: T, work: (db: Database.Database) => T): T => (existsSync(path) ? run(work) : empty);
  return { path, run, read, close };
}

declare global {
  var assayAnnotationStore: AnnotationStore | undefined;
}

/** The store that the environment names, opened once per process; survives a reload of this module in development. */
export function getAnnotationStore(): AnnotationStore {
  return (globalThis.assayAnnotationStore ??= openAnnotationStore());
}

function openFile(dataFolder: string, path: string, busyTimeoutMs: number): OpenFile {
  refuseJobFolder(dataFolder);
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const db = new Database(path, { timeout: busyTimeoutMs });
  try {
    enterWal(db, busyTimeoutMs);
    db.pragma("synchronous = FULL");
    db.pragma("foreign_keys = ON");
    migrateStore(db, path);
    return { db, fileId: readFileId(path) ?? "" };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite's own timeout does not cover this switch: two processes that create the file at once would see it locked. */
function enterWal(db: Database.Database, busyTimeoutMs: number): void {
  const deadline = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      db.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      const isBusy = error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (!isBusy || Date.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Device and inode, which change when the file is replaced; null when there is none. */
function readFileId(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : `${String(stat.dev)}:${String(stat.ino)}`;
}
