import { existsSync, statSync } from "node:fs";

import { sql } from "kysely";

import { StoreError } from "@/lib/core/domain/app-error";

import { type OpenDatabase, type StoreKind, openMigrated, refuseNewer } from "./open-database";
import { makeGoneError, toStoreError } from "./store-error";
import { type DatabaseTarget, describeTarget } from "./target";

export interface StoreOnUse<Tables> {
  /** The file's path, or server and schema; safe to show. */
  readonly place: string;
  /** Runs `work` on the store, or returns `empty` and creates nothing if there is no file yet. */
  readonly read: <T>(empty: T, work: (database: OpenDatabase<Tables>) => Promise<T>) => Promise<T>;
  readonly write: <T>(work: (database: OpenDatabase<Tables>) => Promise<T>) => Promise<T>;
  /**
   * Copies a file that was removed while open to `path`, since the system keeps open files; false if none was removed, or it is
   * closed.
   */
  readonly copyRemoved: (path: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

interface Connection<Tables> {
  readonly database: OpenDatabase<Tables>;
  /** The file as this program left it; null on a server. */
  stamp: FileStamp | null;
  nUsers: number;
  isRetired: boolean;
}

interface FileStamp {
  readonly id: string;
  readonly contents: string;
}

/**
 * Opens a store of data that cannot be computed again at its first use: checks, creates and migrates it as needed. A file is
 * reopened and checked when another program wrote or replaced it, so that nothing is saved into a removed or damaged file. It is
 * also reopened after a file error, in which a handle may be stuck. On a server each write first checks for a newer migration. A
 * store that disappears counts as damaged, and is not recreated until restart.
 */
export function openOnUse<Tables>(
  target: DatabaseTarget,
  listMigrations: StoreKind["listMigrations"],
): StoreOnUse<Tables> {
  let open: Promise<Connection<Tables>> | null = null;
  let wasThere = false;

  const acquire = async (): Promise<Connection<Tables>> => {
    for (;;) {
      if (wasThere && target.engine === "sqlite" && !existsSync(target.file)) throw makeGoneError(target);
      const pending = (open ??= connect<Tables>(target, listMigrations));
      let connection: Connection<Tables>;
      try {
        connection = await pending;
      } catch (error) {
        // All waiting callers get the error; the next use tries again.
        if (open === pending) open = null;
        throw error;
      }
      wasThere = true;
      const isAsLeft = target.engine === "postgres" || isFileAsLeft(connection, readStamp(target.file));
      if (isAsLeft && !connection.isRetired) {
        connection.nUsers += 1;
        return connection;
      }
      if (open === pending) open = null;
      if (connection.isRetired) continue;
      connection.isRetired = true;
      await closeWhenIdle(connection);
    }
  };
  const run = async <T>(
    work: (database: OpenDatabase<Tables>) => Promise<T>,
    isWrite: boolean,
  ): Promise<T> => {
    const connection = await acquire();
    try {
      // A file that another program wrote was reopened above.
      if (isWrite && target.engine === "postgres")
        await refuseNewer(connection.database, listMigrations(target.engine));
      const result = await work(connection.database);
      const now = isWrite && target.engine === "sqlite" ? readStamp(target.file) : null;
      if (now?.id === connection.stamp?.id) connection.stamp = now;
      return result;
    } catch (error) {
      const mapped = toStoreError(error, target);
      // After a file error the handle may be stuck; the next use opens a new one.
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
      target.engine === "sqlite" && !wasThere && !existsSync(target.file)
        ? Promise.resolve(empty)
        : run(work, false),
    write: (work) => run(work, true),
    copyRemoved: async (path) => {
      if (target.engine === "postgres" || open === null || existsSync(target.file)) return false;
      const { database, isRetired } = await open;
      if (isRetired) return false;
      await sql`vacuum into ${path}`.execute(database.db);
      return true;
    },
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
  if (isRetired && nUsers === 0) await database.close();
}

async function connect<Tables>(
  target: DatabaseTarget,
  listMigrations: StoreKind["listMigrations"],
): Promise<Connection<Tables>> {
  const database = await openMigrated<Tables>(target, listMigrations);
  const stamp = target.engine === "sqlite" ? readStamp(target.file) : null;
  return { database, stamp, nUsers: 0, isRetired: false };
}

/** True if it is the same file and only this program wrote it. Skips the second check while this program may be writing. */
function isFileAsLeft<Tables>({ stamp, nUsers }: Connection<Tables>, now: FileStamp | null): boolean {
  return now !== null && now.id === stamp?.id && (nUsers > 0 || now.contents === stamp.contents);
}

function readStamp(path: string): FileStamp | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  return { id: `${dev}:${ino}`, contents: `${size}:${mtimeNs}:${ctimeNs}` };
}
