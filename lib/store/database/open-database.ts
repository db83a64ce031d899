import type { Kysely } from "kysely";

import { createPostgresInsert, createSqliteInsert, type InsertRows } from "./insert-rows";
import { openPostgres } from "./open-postgres";
import { openSqlite } from "./open-sqlite";
import { toStoreError } from "./store-error";
import type { DatabaseTarget, Prologue } from "./target";

/** An open store. Its statements fail with a StoreError if the store is at fault, see {@link toStoreError}. */
export interface OpenDatabase<Tables> {
  /**
   * One SQLite connection, shared by all statements in turn, or a pool of PostgreSQL connections. A SQLite transaction takes the
   * write lock at its start, unless its access mode is `read only`.
   */
  readonly db: Kysely<Tables>;
  readonly engine: DatabaseTarget["engine"];
  readonly target: DatabaseTarget;
  readonly insertRows: InsertRows<Tables>;
  /** True for a copy in memory of a file that cannot be written; only migrations change it. */
  readonly isCopy: boolean;
  readonly close: () => Promise<void>;
}

/**
 * Opens the store and creates its folder and file, or its schema, if missing. `migrate` creates the tables.
 *
 * @throws StoreError when it cannot be opened, is not Assay's or is inside a job folder
 */
export async function openDatabase<Tables>(
  target: DatabaseTarget,
  prologue: Prologue | null = null,
): Promise<OpenDatabase<Tables>> {
  try {
    if (target.engine === "postgres") {
      const db = await openPostgres<Tables>(target, prologue);
      const insertRows = createPostgresInsert<Tables>();
      return { db, engine: target.engine, target, insertRows, isCopy: false, close: () => db.destroy() };
    }
    const { db, file } = await openSqlite<Tables>(target, prologue);
    const close = async (): Promise<void> => {
      await db.destroy();
      file.close();
    };
    const insertRows = createSqliteInsert<Tables>(file);
    return { db, engine: target.engine, target, insertRows, isCopy: file.memory, close };
  } catch (error) {
    throw toStoreError(error, target);
  }
}
