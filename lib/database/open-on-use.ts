import { existsSync, statSync } from "node:fs";

import { sql } from "kysely";

import { StoreError } from "@/lib/domain/app-error";

import { migrate, type Migrations, refuseNewer } from "./migrate";
import { openDatabase, type OpenDatabase } from "./open-database";
import { makeGoneError, toStoreError } from "./store-error";
import { type DatabaseTarget, describeTarget } from "./target";

/** A store that is open only from its first use on. */
export interface StoreOnUse<Tables> {
  /** Where it is, as it may be shown: the file's path, or server and schema. */
  readonly place: string;
  /** Runs `work` on the store, or gives `empty` and creates nothing when there is no file yet. */
  readonly read: <T>(empty: T, work: (database: OpenDatabase<Tables>) => Promise<T>) => Promise<T>;
  /** Runs `work` on the store, which is made when it is not there. */
  readonly write: <T>(work: (database: OpenDatabase<Tables>) => Promise<T>) => Promise<T>;
  /**
   * Writes a file that was removed while open to a new one at `path`, as the system keeps what is open; false when none was
   * removed, or it is not open any more.
   */
  readonly copyRemoved: (path: string) => Promise<boolean>;
  /** Closes the store; the next use opens it again. */
  readonly close: () => Promise<void>;
}

interface Connection<Tables> {
  readonly database: OpenDatabase<Tables>;
  /** The file as this program left it; null on a server. */
  stamp: FileStamp | null;
  nUsers: number;
  /** To be closed as soon as nobody uses it. */
  isRetired: boolean;
}

/** Tells a file from another one, and its contents from later ones. */
interface FileStamp {
  /** Device and inode. */
  readonly id: string;
  /** Size, and when it was last written. */
  readonly contents: string;
}

/**
 * A store that keeps what cannot be computed again: opened at the first use, checked, created and migrated if needed. A file is
 * opened and checked again when another program wrote or replaced it, so that nothing is saved into what is none any more, or
 * where nobody can see it; and after a failure of the file, in which a handle may be stuck. On a server each write asks first
 * whether a newer program migrated the store meanwhile. One that was there and is gone is
 * damage, and no new one is begun in its place until the program is started again.
 *
 * @throws StoreError on use, never here
 */
export function openOnUse<Tables>(
  target: DatabaseTarget,
  listMigrations: (engine: DatabaseTarget["engine"]) => Migrations,
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
        // Told to everyone who waits for it; the next use tries again.
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
      // A file that another program wrote was opened anew.
      if (isWrite && target.engine === "postgres")
        await refuseNewer(connection.database, listMigrations(target.engine));
      const result = await work(connection.database);
      const now = isWrite && target.engine === "sqlite" ? readStamp(target.file) : null;
      if (now?.id === connection.stamp?.id) connection.stamp = now;
      return result;
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
  listMigrations: (engine: DatabaseTarget["engine"]) => Migrations,
): Promise<Connection<Tables>> {
  const database = await openDatabase<Tables>(target);
  try {
    await migrate(database, listMigrations(database.engine));
  } catch (error) {
    await database.close();
    throw error;
  }
  const stamp = target.engine === "sqlite" ? readStamp(target.file) : null;
  return { database, stamp, nUsers: 0, isRetired: false };
}

/** Whether it is the same file, and nobody but this program wrote it; the latter cannot be told while that may be writing. */
function isFileAsLeft<Tables>({ stamp, nUsers }: Connection<Tables>, now: FileStamp | null): boolean {
  return now !== null && now.id === stamp?.id && (nUsers > 0 || now.contents === stamp.contents);
}

/** Null when there is no file. */
function readStamp(path: string): FileStamp | null {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  if (stat === undefined) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = stat;
  return { id: `${dev}:${ino}`, contents: `${size}:${mtimeNs}:${ctimeNs}` };
}
