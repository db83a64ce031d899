import { closeSync, existsSync, mkdirSync, openSync, readSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

import { StoreError } from "@/lib/core/domain/app-error";

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

export type DataEnvironment = Readonly<Record<string, string | undefined>>;

/** Returns the absolute path of Assay's data folder: `$ASSAY_DATA`, else `$XDG_DATA_HOME/assay`, else `~/.local/share/assay`. */
export function resolveDataFolder(environment: DataEnvironment): string {
  const own = environment["ASSAY_DATA"];
  if (own !== undefined && own.trim() !== "") return resolve(own);
  const xdg = environment["XDG_DATA_HOME"];
  // The XDG specification says to ignore relative paths.
  if (xdg?.startsWith("/") === true) return join(xdg, "assay");
  return join(homedir(), ".local", "share", "assay");
}

/**
 * Creates a folder and its parents, accessible by this user only. It creates them one by one, since Node's recursive mkdir never
 * ends where a file system reports a missing folder for each attempt, such as below /proc.
 */
export function makeOwnFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeOwnFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it.
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Refuses a data folder inside a job or trial folder, also through links: its files would travel with the job, which would no
 * longer be what the benchmark wrote.
 */
export function refuseJobFolder(dataFolder: string): void {
  const folder = findJobFolder(dataFolder);
  if (folder === null) return;
  throw new StoreError(
    "store_inside_job",
    `The data folder ${dataFolder} is inside the job folder ${folder}. Set ASSAY_DATA to a folder outside all jobs.`,
  );
}

export function findJobFolder(path: string): string | null {
  let folder = resolveExisting(path);
  for (;;) {
    if (looksLikeHarbor(folder)) return folder;
    const parent = dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

function resolveExisting(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(resolveExisting(parent), basename(path));
}

function looksLikeHarbor(folder: string): boolean {
  if (existsSync(join(folder, "job.log")) || existsSync(join(folder, "trial.log"))) return true;
  if (existsSync(join(folder, "config.json")) && existsSync(join(folder, "lock.json"))) return true;
  const head = readHead(join(folder, "result.json"));
  return head !== null && /"(?:n_total_trials|trial_name|exception_info|agent_info)"\s*:/.test(head);
}

/** Reads 64 KiB, enough to recognize a Harbor result among other result.json files. */
function readHead(path: string): string | null {
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(65_536);
      return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}
