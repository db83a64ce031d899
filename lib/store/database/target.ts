import { join } from "node:path";

import { type DataEnvironment, resolveDataFolder } from "./data-folder";

export interface SqliteTarget {
  readonly engine: "sqlite";
  readonly file: string;
  /**
   * `EXTRA`: a commit is on disk before it returns, and no other file exists between commits, so that the file can be copied and
   * replaced. Its pages are checked on open. `NORMAL`: a write-ahead log for bulk writes; a power cut may lose the last commits
   * but not damage the file.
   */
  readonly synchronous: "EXTRA" | "NORMAL";
  /** How long a statement waits for another process before `store_locked`; 5,000 by default. */
  readonly busyTimeoutMs?: number;
}

export interface PostgresTarget {
  readonly engine: "postgres";
  /** The value of `DATABASE_URL`. It may hold a password, so show it only through {@link describeTarget}. */
  readonly url: string;
  readonly schema: string;
}

export type DatabaseTarget = SqliteTarget | PostgresTarget;

/**
 * Statements run on each new connection, such as temporary views that hide tables. `base` is the quoted name of the real tables.
 * Such a connection is read-only.
 */
export type Prologue = (base: string) => readonly string[];

export interface StorePlace {
  readonly fileName: string;
  readonly schema: string;
  readonly synchronous: SqliteTarget["synchronous"];
}

/** Returns PostgreSQL if `DATABASE_URL` is not blank, else the file in the data folder, see {@link resolveDataFolder}. */
export function resolveTarget(place: StorePlace, environment: DataEnvironment): DatabaseTarget {
  const url = environment["DATABASE_URL"]?.trim() ?? "";
  if (url !== "") return { engine: "postgres", url, schema: place.schema };
  const file = join(resolveDataFolder(environment), place.fileName);
  return { engine: "sqlite", file, synchronous: place.synchronous };
}

/** Returns the file's path, or server, database and schema without user and password. */
export function describeTarget(target: DatabaseTarget): string {
  if (target.engine === "sqlite") return target.file;
  // Anything else may be a password in the wrong place.
  if (!/^postgres(?:ql)?:/.test(target.url) || !URL.canParse(target.url))
    return `of DATABASE_URL (schema ${target.schema})`;
  const url = new URL(target.url);
  const host = url.searchParams.get("host") ?? (url.host === "" ? "localhost" : url.host);
  return `${host}${url.pathname} (schema ${target.schema})`;
}
