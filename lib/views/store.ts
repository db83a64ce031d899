import { existsSync, statSync } from "node:fs";

import {
  type DatabaseTarget,
  type DataEnvironment,
  migrate,
  openDatabase,
  type OpenDatabase,
  resolveTarget,
  toStoreError,
} from "@/lib/database";

import { listMigrations, type ViewDb, type ViewTables } from "./migrations";

const PLACE = { fileName: "views.sqlite", schema: "assay_views", synchronous: "FULL" } as const;

/** The open store of saved views; verbs take it as their first argument. */
export interface ViewStore {
  /** Runs `work` on the store, or gives `empty` and creates nothing when there is no file yet. */
  readonly read: <T>(empty: T, work: (db: ViewDb) => Promise<T>) => Promise<T>;
  readonly write: <T>(work: (db: ViewDb) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

interface Connection {
  readonly database: OpenDatabase<ViewTables>;
  /** Device and inode; empty on a server. */
  readonly fileId: string;
}

/**
 * Handles of files that were removed or replaced while open. They are kept: SQLite would tidy up by name on closing, and
 * what has the name by then may belong to the new file.
 */
const abandoned: Connection[] = [];

/**
 * The saved views at a place: opened at the first use, made when they are not there, and opened again when the file was
 * replaced.
 *
 * @throws StoreError on use, never here
 */
export function openViewStore(target: DatabaseTarget): ViewStore {
  let open: Promise<Connection> | null = null;
  const acquire = async (): Promise<Connection> => {
    const pending = (open ??= connect(target));
    try {
      const connection = await pending;
      if (connection.fileId === readFileId(target)) return connection;
      abandoned.push(connection);
    } catch (error) {
      // Told to everyone who waits for it; the next use tries again.
      if (open === pending) open = null;
      throw error;
    }
    if (open === pending) open = null;
    return acquire();
  };
  const run = async <T>(work: (db: ViewDb) => Promise<T>): Promise<T> => {
    try {
      return await work((await acquire()).database.db);
    } catch (error) {
      throw toStoreError(error, target);
    }
  };
  return {
    read: (empty, work) =>
      target.engine === "sqlite" && !existsSync(target.file) ? Promise.resolve(empty) : run(work),
    write: run,
    close: async () => {
      const pending = open;
      open = null;
      if (pending !== null) await (await pending).database.close();
    },
  };
}

declare global {
  var assayViewStore: ViewStore | undefined;
}

/** The store that the environment names, opened once a process. */
export function getViewStore(environment: DataEnvironment = process.env): ViewStore {
  return (globalThis.assayViewStore ??= openViewStore(resolveTarget(PLACE, environment)));
}

async function connect(target: DatabaseTarget): Promise<Connection> {
  const database = await openDatabase<ViewTables>(target);
  try {
    await migrate(database, listMigrations(database.engine));
  } catch (error) {
    await database.close();
    throw error;
  }
  return { database, fileId: readFileId(target) };
}

function readFileId(target: DatabaseTarget): string {
  if (target.engine === "postgres") return "";
  const stat = statSync(target.file, { throwIfNoEntry: false });
  return stat === undefined ? "gone" : `${String(stat.dev)}:${String(stat.ino)}`;
}
