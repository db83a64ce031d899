import { existsSync, statSync } from "node:fs";

import { StoreError } from "@/lib/domain/app-error";

import { checkPages } from "./check-pages";
import { migrate, type Migrations } from "./migrate";
import { openDatabase, type OpenDatabase } from "./open-database";
import { toStoreError } from "./store-error";
import type { DatabaseTarget } from "./target";

/** A store that is open only from its first use on. */
export interface StoreOnUse<Tables> {
  /** Runs `work` on the store, or gives `empty` and creates nothing when there is no file yet. */
  readonly read: <T>(empty: T, work: (database: OpenDatabase<Tables>) => Promise<T>) => Promise<T>;
  /** Runs `work` on the store, which is made when it is not there. */
  readonly write: <T>(work: (database: OpenDatabase<Tables>) => Promise<T>) => Promise<T>;
  /** Closes the store; the next use opens it again. */
  readonly close: () => Promise<void>;
}

interface Connection<Tables> {
  readonly database: OpenDatabase<Tables>;
  /** Device and inode; null on a server. */
  readonly fileId: string | null;
  nUsers: number;
  /** To be closed as soon as nobody uses it. */
  isRetired: boolean;
}

/**
 * Handles of files that were removed or replaced while open. They are kept, not closed: SQLite would tidy up by name on
 * closing, and the write-ahead log of that name may belong to the file that took the place.
 */
const abandoned: unknown[] = [];

/**
 * A store that keeps what cannot be computed again: opened at the first use, checked, created and migrated if needed. A file is
 * opened again when it was replaced or removed meanwhile, so that a write never goes to a file nobody can see, and after
 * a failure of the file, in which a handle may be stuck.
 *
 * @throws StoreError on use, never here
 */
export function openOnUse<Tables>(
  target: DatabaseTarget,
  listMigrations: (engine: DatabaseTarget["engine"]) => Migrations,
): StoreOnUse<Tables> {
  let open: Promise<Connection<Tables>> | null = null;

  const acquire = async (): Promise<Connection<Tables>> => {
    for (;;) {
      const pending = (open ??= connect<Tables>(target, listMigrations));
      let connection: Connection<Tables>;
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
  const run: StoreOnUse<Tables>["write"] = async (work) => {
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
    read: (empty, work) =>
      target.engine === "sqlite" && !existsSync(target.file) ? Promise.resolve(empty) : run(work),
    write: run,
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

async function closeWhenIdle<Tables>(connection: Connection<Tables>): Promise<void> {
  const { isRetired, nUsers, database } = connection;
  if (isRetired && nUsers === 0 && !abandoned.includes(connection)) await database.close();
}

async function connect<Tables>(
  target: DatabaseTarget,
  listMigrations: (engine: DatabaseTarget["engine"]) => Migrations,
): Promise<Connection<Tables>> {
  const database = await openDatabase<Tables>(target);
  try {
    await checkPages(database);
    await migrate(database, listMigrations(database.engine));
  } catch (error) {
    await database.close();
    throw error;
  }
  const fileId = target.engine === "sqlite" ? (readFileId(target.file) ?? "") : null;
  return { database, fileId, nUsers: 0, isRetired: false };
}

/** Device and inode, which change when the file is replaced; null when there is none. */
function readFileId(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : `${String(stat.dev)}:${String(stat.ino)}`;
}
