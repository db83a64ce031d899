import { join } from "node:path";

import { type DataEnvironment, resolveDataFolder } from "./data-folder";

/** A SQLite file: made with its folder when it is not there. */
export interface SqliteTarget {
  readonly engine: "sqlite";
  /** Absolute path. */
  readonly file: string;
  /**
   * `EXTRA`: a commit is in the file and on disk before it returns, and between commits nothing lies beside the file, so
   * that it can be copied and replaced. Its pages are checked when it is opened. `NORMAL`: a write-ahead log, for what is
   * written in bulk; a power cut may take the last commits, never the file.
   */
  readonly synchronous: "EXTRA" | "NORMAL";
  /** How long a statement waits for another process before `store_locked`; 5,000 by default. */
  readonly busyTimeoutMs?: number;
}

/** A schema of a PostgreSQL database: made when it is not there. */
export interface PostgresTarget {
  readonly engine: "postgres";
  /** As `DATABASE_URL` gives it; may hold a password, so it is shown only through {@link describeTarget}. */
  readonly url: string;
  /** Unquoted name. */
  readonly schema: string;
}

/** Where a store lives. */
export type DatabaseTarget = SqliteTarget | PostgresTarget;

/**
 * Statements that each connection begins with, given the quoted name by which tables of the store are told from what these make,
 * such as temporary views of their names; nothing can be written then.
 */
export type Prologue = (base: string) => readonly string[];

/** What one store is called on either engine, and how durable a commit to its file is. */
export interface StorePlace {
  /** Name inside the data folder. */
  readonly fileName: string;
  readonly schema: string;
  readonly synchronous: SqliteTarget["synchronous"];
}

/** PostgreSQL when `DATABASE_URL` is set and not blank, else the file in the data folder, see {@link resolveDataFolder}. */
export function resolveTarget(place: StorePlace, environment: DataEnvironment): DatabaseTarget {
  const url = environment["DATABASE_URL"]?.trim() ?? "";
  if (url !== "") return { engine: "postgres", url, schema: place.schema };
  const file = join(resolveDataFolder(environment), place.fileName);
  return { engine: "sqlite", file, synchronous: place.synchronous };
}

/** The place as it may be shown: the file's path, or server, database and schema without user and password. */
export function describeTarget(target: DatabaseTarget): string {
  if (target.engine === "sqlite") return target.file;
  // Anything else may be a password in the wrong place.
  if (!/^postgres(?:ql)?:/.test(target.url) || !URL.canParse(target.url))
    return `of DATABASE_URL (schema ${target.schema})`;
  const url = new URL(target.url);
  const host = url.searchParams.get("host") ?? (url.host === "" ? "localhost" : url.host);
  return `${host}${url.pathname} (schema ${target.schema})`;
}
