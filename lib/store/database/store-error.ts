import Database from "better-sqlite3";
import type { DatabaseConnection, Dialect, Driver, QueryResult } from "kysely";

import { AppError, StoreError, type StoreFailure } from "@/lib/core/domain/app-error";

import { type DatabaseTarget, describeTarget, type PostgresTarget } from "./target";

type DriverFailure = Exclude<
  StoreFailure,
  "store_foreign" | "store_too_new" | "store_inside_job" | "queue_unreadable"
>;

/** Beginnings of SQLite's result codes, errno names and SQLSTATEs. */
const FAILURES = {
  sqlite: {
    store_locked: ["SQLITE_BUSY", "SQLITE_LOCKED"],
    store_read_only: ["SQLITE_READONLY", "SQLITE_PERM", "EROFS", "EACCES", "EPERM"],
    // File size limits and some network disks refuse to write without reporting a full disk.
    store_full: ["SQLITE_FULL", "SQLITE_IOERR_WRITE", "ENOSPC", "EDQUOT"],
    store_corrupt: ["SQLITE_CORRUPT", "SQLITE_NOTADB"],
  },
  postgres: {
    store_locked: ["40001", "40P01", "55P03", "57014"],
    store_read_only: ["25006", "42501"],
    store_full: ["53100"],
    store_corrupt: ["XX001", "XX002"],
  },
} as const satisfies Record<string, Partial<Record<DriverFailure, readonly string[]>>>;

/** SQLSTATE classes of an unavailable server; all others are faults in Assay's statements. */
const POSTGRES_UNAVAILABLE = ["08", "28", "3D", "53", "57", "58", "F0", "XX"];

/** Advice by SQLSTATE or errno prefix; the first match wins. */
const POSTGRES_ADVICE: readonly (readonly [prefix: string, advice: string])[] = [
  ["28", "refuses the user or password. Correct DATABASE_URL."],
  ["3D000", "does not exist. Create the database or correct DATABASE_URL."],
  ["53300", "has no free connection. Close other programs or raise max_connections."],
  ["57P03", "is starting or stopping. Try again in a moment."],
  ["ECONNREFUSED", "does not answer: no PostgreSQL listens there. Start it or correct DATABASE_URL."],
  ["ENOENT", "does not answer: no PostgreSQL listens there. Start it or correct DATABASE_URL."],
  ["ENOTFOUND", "is not a known host. Correct DATABASE_URL."],
  ["EAI_AGAIN", "is not a known host. Correct DATABASE_URL."],
  ["LOST", "does not answer: the connection broke or was not made in time. Try again in a moment."],
];

/** The place is near the start of each sentence, so that it survives truncation. */
const SENTENCES: Readonly<
  Record<DriverFailure, (place: string, engine: DatabaseTarget["engine"]) => string>
> = {
  // On PostgreSQL other saves may hold the lock.
  store_locked: (place, engine) =>
    engine === "postgres"
      ? `The database ${place} is busy: other saves, or another program, lock it. Try again in a moment.`
      : `The database ${place} is locked by another program. Close it there and try again.`,
  store_read_only: (place) =>
    `The database ${place} cannot be written: no permission, or read-only. Give Assay write permission.`,
  store_full: (place) =>
    `The disk of the database ${place} is full, or a write to it failed. Free some space and try again.`,
  store_corrupt: (place) => describeDamage(place, "damaged or not a database"),
  store_unavailable: (place) => `The database ${place} cannot be opened.`,
};

function describeDamage(place: string, what: string): string {
  return (
    `The database ${place} is ${what}. Stop Assay, move away the file and any file next to it that ends in ` +
    "-journal, -wal or -shm, restore a backup in its place, and start Assay again."
  );
}

/**
 * Refuses addresses of other kinds of databases, at which the driver would look for PostgreSQL. @throws StoreError
 * `store_unavailable`
 */
export function refuseOtherDatabase({ url }: PostgresTarget): void {
  if (!/^[a-z][\w+.-]*:\/\//i.test(url) || /^postgres(?:ql)?:/.test(url)) return;
  throw new StoreError(
    "store_unavailable",
    "DATABASE_URL is not the address of a PostgreSQL database, which begins with postgres://. Correct it, or unset it to keep data in files.",
  );
}

/** For a file that was removed or replaced while in use. */
export function makeGoneError(target: DatabaseTarget): StoreError {
  const place = describeTarget(target);
  return new StoreError(
    "store_corrupt",
    `The database ${place} is gone: it was removed or replaced while Assay had it open. Stop Assay, restore it or a backup in ` +
      "its place, and start Assay again, which creates a new one if there is none.",
  );
}

export function makeUnfinishedError(target: DatabaseTarget): StoreError {
  const why =
    "has an unfinished write next to it (-journal or -wal), which Assay has no permission to roll back";
  const message = `The database ${describeTarget(target)} ${why}. Give Assay write permission.`;
  return new StoreError("store_read_only", message);
}

/** For a file found damaged before any write. @param what - such as "empty" */
export function makeDamageError(target: DatabaseTarget, what: string, cause?: string): StoreError {
  const place = describeTarget(target);
  return new StoreError("store_corrupt", describeDamage(place, what), { cause });
}

/**
 * Turns failures of SQLite, PostgreSQL, the network or the file system into a StoreError with a remedy. Other errors pass through
 * unchanged.
 */
export function toStoreError(error: unknown, target: DatabaseTarget): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const cause = readCause(error);
  const code = cause === null ? null : findFailure(cause, target);
  if (cause === null || code === null) return error;
  // SQLite checks again before it writes.
  if (cause === "SQLITE_READONLY_DBMOVED") return makeGoneError(target);
  if (cause === "SQLITE_READONLY_ROLLBACK") return makeUnfinishedError(target);
  const place = describeTarget(target);
  const message =
    code === "store_unavailable"
      ? describeUnavailable(place, cause, error, target)
      : SENTENCES[code](place, target.engine);
  return new StoreError(code, message, { cause: error });
}

/** Null for a fault in this code, such as a failed constraint or an invalid statement. */
function findFailure(cause: string, target: DatabaseTarget): DriverFailure | null {
  const { engine } = target;
  const found = Object.entries<readonly string[]>(FAILURES[engine]).find(([, starts]) =>
    starts.some((start) => cause.startsWith(start)),
  );
  if (found !== undefined) return found[0] as DriverFailure; // A key of either.
  const isFault =
    engine === "postgres"
      ? isSqlState(cause) && !POSTGRES_UNAVAILABLE.some((one) => cause.startsWith(one))
      : /^SQLITE_(?:CONSTRAINT|ERROR|MISUSE)/.test(cause);
  return isFault ? null : "store_unavailable";
}

function describeUnavailable(place: string, cause: string, error: Error, target: DatabaseTarget): string {
  const advice = POSTGRES_ADVICE.find(([prefix]) => cause.startsWith(prefix))?.[1];
  if (target.engine === "postgres" && advice !== undefined) return `The database ${place} ${advice}`;
  return `${SENTENCES.store_unavailable(place, target.engine)} (${error.message})`;
}

/** Driver messages for a broken or failed connection; those errors have no code. */
const LOST_CONNECTION =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable/i;
/** Driver message for an address without the required password, also without a code. */
const NO_PASSWORD = /password must be a string/i;

/** SQLite result code, SQLSTATE, errno name, or `LOST` for a broken connection; null for any other error. */
function readCause(error: Error): string | null {
  if (error instanceof Database.SqliteError) return error.code;
  if ("code" in error && typeof error.code === "string" && (isErrno(error.code) || isSqlState(error.code)))
    return error.code;
  if (NO_PASSWORD.test(error.message)) return "28P01";
  return LOST_CONNECTION.test(error.message) ? "LOST" : null;
}

const isErrno = (code: string): boolean => /^E[A-Z0-9_]+$/.test(code) && !code.startsWith("ERR_");
const isSqlState = (code: string): boolean => /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);

export function mapFailures(dialect: Dialect, target: DatabaseTarget): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver: () => mapDriver(dialect.createDriver(), target),
  };
}

/** Pools reuse connections, so each is wrapped once. */
function mapDriver(driver: Driver, target: DatabaseTarget): Driver {
  const mapped = new WeakSet<DatabaseConnection>();
  const acquire = driver.acquireConnection.bind(driver);
  driver.acquireConnection = async (options) => {
    const connection = await runMapped(target, () => acquire(options));
    if (!mapped.has(connection)) {
      mapped.add(connection);
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = <R>(...query: Parameters<typeof execute>): Promise<QueryResult<R>> =>
        runMapped(target, () => execute<R>(...query));
    }
    return connection;
  };
  return driver;
}

async function runMapped<T>(target: DatabaseTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStoreError(error, target);
  }
}
