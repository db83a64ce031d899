import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import { StoreError } from "@/lib/domain/app-error";
import { describeTarget, migrate, openDatabase, resolveTarget, toStoreError } from "@/lib/database";
import type { DatabaseTarget, DataEnvironment, OpenDatabase, StorePlace } from "@/lib/database";

import { listMigrations } from "./migrations";
import type { AnnotationDb, AnnotationTables } from "./migrations";

/** A save is on disk before it is reported: that is what FULL means. */
const PLACE = {
  fileName: "annotations.sqlite",
  schema: "assay",
  synchronous: "FULL",
} as const satisfies StorePlace;

/** The open store. Made by {@link openAnnotationStore}; verbs take it as their first argument. */
export interface AnnotationStore {
  /** Where it is, as it may be shown: the file's path, or server and schema. */
  readonly place: string;
  /** Runs `work` on the open store, or gives `empty` and creates nothing when there is no file yet. */
  readonly read: <T>(empty: T, work: (db: AnnotationDb) => Promise<T>) => Promise<T>;
  /**
   * Runs `work` in a transaction that no other writer of the store can interleave with; it is on disk when the promise
   * settles, and nothing of it is stored when it fails. Only verbs of this folder call it.
   */
  readonly write: <T>(work: (db: AnnotationDb) => Promise<T>) => Promise<T>;
  /** Closes the store; the next use opens it again. */
  readonly close: () => Promise<void>;
}

/** Where the store is and how patient it is. */
export interface StoreOptions {
  /** Decides the place when nothing else does, `process.env` by default; see `resolveTarget`. */
  readonly environment?: DataEnvironment;
  /** A SQLite file in this folder, whatever the environment says. */
  readonly dataFolder?: string;
  /** Exactly here, whatever the others say. */
  readonly target?: DatabaseTarget;
  /** How long a write to a file waits for another process. */
  readonly busyTimeoutMs?: number;
}

/**
 * Handles of files that were removed or replaced while open. They are kept, not closed: SQLite would tidy up by name on
 * closing, and the write-ahead log of that name may belong to the file that took the place.
 */
const abandoned: Connection[] = [];

interface Connection {
  readonly database: OpenDatabase<AnnotationTables>;
  /** Null on a server. */
  readonly fileId: string | null;
  nUsers: number;
  /** To be closed as soon as nobody uses it. */
  isRetired: boolean;
}

/**
 * The annotation store: the data folder's file, or PostgreSQL. It is opened at the first use, created and migrated if
 * needed; a file is opened again when it was replaced or removed meanwhile, so that a write never goes to a file nobody
 * can see.
 *
 * @throws StoreError on use, never here
 */
export function openAnnotationStore(options: StoreOptions = {}): AnnotationStore {
  const target = toTarget(options);
  let open: Promise<Connection> | null = null;

  const acquire = async (): Promise<Connection> => {
    for (;;) {
      const pending = (open ??= openConnection(target));
      let connection: Connection;
      try {
        connection = await pending;
      } catch (error) {
        // Told to everyone who waits for it; the next use tries again.
        if (open === pending) open = null;
        throw error;
      }
      const isSameFile = target.engine === "postgres" || readFileId(target.file) === connection.fileId;
      if (isSameFile && !connection.isRetired) {
        connection.nUsers += 1;
        return connection;
      }
      if (open !== pending) continue;
      open = null;
      if (!isSameFile) abandoned.push(connection);
    }
  };
  const run = async <T>(work: (database: OpenDatabase<AnnotationTables>) => Promise<T>): Promise<T> => {
    const connection = await acquire();
    try {
      return await work(connection.database);
    } catch (error) {
      const mapped = toStoreError(error, target);
      // After a failure of the file the handle may be stuck in it; the next use starts afresh.
      if (mapped instanceof StoreError && target.engine === "sqlite") connection.isRetired = true;
      throw mapped;
    } finally {
      connection.nUsers -= 1;
      await closeWhenIdle(connection);
    }
  };
  return {
    place: describeTarget(target),
    read: (empty, work) =>
      target.engine === "sqlite" && !existsSync(target.file)
        ? Promise.resolve(empty)
        : run(({ db }) => work(db)),
    write: (work) =>
      run(({ db, engine }) =>
        db.transaction().execute(async (transaction) => {
          if (engine === "postgres") await lockTable(transaction);
          return work(transaction);
        }),
      ),
    close: async () => {
      const pending = open;
      open = null;
      if (pending === null) return;
      const connection = await pending;
      connection.isRetired = true;
      await closeWhenIdle(connection);
    },
  };
}

async function closeWhenIdle(connection: Connection): Promise<void> {
  const { isRetired, nUsers, database } = connection;
  if (isRetired && nUsers === 0 && !abandoned.includes(connection)) await database.close();
}

declare global {
  var assayAnnotationStore: AnnotationStore | undefined;
}

/** The store that the environment names, opened once per process; survives a reload of this module in development. */
export function getAnnotationStore(): AnnotationStore {
  return (globalThis.assayAnnotationStore ??= openAnnotationStore());
}

function toTarget(options: StoreOptions): DatabaseTarget {
  if (options.target !== undefined) return options.target;
  const patience = options.busyTimeoutMs === undefined ? {} : { busyTimeoutMs: options.busyTimeoutMs };
  if (options.dataFolder !== undefined) {
    const file = join(options.dataFolder, PLACE.fileName);
    return { engine: "sqlite", file, synchronous: PLACE.synchronous, ...patience };
  }
  return { ...resolveTarget(PLACE, options.environment ?? process.env), ...patience };
}

async function openConnection(target: DatabaseTarget): Promise<Connection> {
  const database = await openDatabase<AnnotationTables>(target);
  try {
    await migrate(database, listMigrations(database.engine));
  } catch (error) {
    await database.close();
    throw error;
  }
  const fileId = target.engine === "sqlite" ? (readFileId(target.file) ?? "") : null;
  return { database, fileId, nUsers: 0, isRetired: false };
}

/**
 * One writer at a time, as on SQLite: a chain is read and continued under the lock, so it never forks, and events
 * become visible in the order of their numbers. Readers do not wait.
 */
async function lockTable(transaction: AnnotationDb): Promise<void> {
  // A server may be set up to confirm commits before they are on disk; a judgment is not to be lost that way.
  await sql`select set_config('lock_timeout', '5s', true), case
    when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end`.execute(
    transaction,
  );
  await sql`lock table annotation_version in share row exclusive mode`.execute(transaction);
}

/** Device and inode, which change when the file is replaced; null when there is none. */
function readFileId(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : `${String(stat.dev)}:${String(stat.ino)}`;
}
