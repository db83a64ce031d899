import Database from "better-sqlite3";

import { AppError, StoreError, type StoreFailure } from "@/lib/domain/app-error";

import { type DatabaseTarget, describeTarget, type PostgresTarget } from "./target";

/** What the failure of a driver may come to; this program finds the others by itself. */
type DriverFailure = Exclude<
  StoreFailure,
  "store_foreign" | "store_too_new" | "store_inside_job" | "queue_unreadable"
>;

/** SQLite result codes and errno names by prefix, first match wins. */
const SQLITE_FAILURES: readonly (readonly [prefix: string, code: DriverFailure])[] = [
  ["SQLITE_BUSY", "store_locked"],
  ["SQLITE_LOCKED", "store_locked"],
  ["SQLITE_READONLY", "store_read_only"],
  ["SQLITE_PERM", "store_read_only"],
  ["SQLITE_FULL", "store_full"],
  // A limit of the system on the size of files, and some network disks, refuse to write without saying that the disk is full.
  ["SQLITE_IOERR_WRITE", "store_full"],
  ["SQLITE_CORRUPT", "store_corrupt"],
  ["SQLITE_NOTADB", "store_corrupt"],
  ["ENOSPC", "store_full"],
  ["EDQUOT", "store_full"],
  ["EROFS", "store_read_only"],
  ["EACCES", "store_read_only"],
  ["EPERM", "store_read_only"],
];

/** SQLSTATE codes by prefix, first match wins. */
const POSTGRES_FAILURES: readonly (readonly [prefix: string, code: DriverFailure])[] = [
  ["40001", "store_locked"],
  ["40P01", "store_locked"],
  ["55P03", "store_locked"],
  ["57014", "store_locked"],
  ["25006", "store_read_only"],
  ["42501", "store_read_only"],
  ["53100", "store_full"],
  ["XX001", "store_corrupt"],
  ["XX002", "store_corrupt"],
];

/** Classes of SQLSTATE that say that the server cannot serve now; every other one is a fault in a statement of ours. */
const POSTGRES_UNAVAILABLE = ["08", "28", "3D", "53", "57", "58", "F0", "XX"];

/** What to do about a server that cannot be used, by SQLSTATE or errno prefix; first match wins. */
const POSTGRES_ADVICE: readonly (readonly [prefix: string, advice: string])[] = [
  ["28", "refuses the user or password. Correct DATABASE_URL."],
  ["3D000", "does not exist. Create the database or correct DATABASE_URL."],
  ["53300", "has no connection left. Close other programs or raise max_connections."],
  ["57P03", "is starting or stopping. Try again in a moment."],
  ["ECONNREFUSED", "does not answer: no PostgreSQL listens there. Start it or correct DATABASE_URL."],
  ["ENOENT", "does not answer: no PostgreSQL listens there. Start it or correct DATABASE_URL."],
  ["ENOTFOUND", "is not a known host. Correct DATABASE_URL."],
  ["EAI_AGAIN", "is not a known host. Correct DATABASE_URL."],
  ["LOST", "does not answer: the connection broke or was not made in time. Try again in a moment."],
];

/** Sentence for each failure; the place follows the first words so that it is seen even when a line is cut. */
const SENTENCES: Readonly<
  Record<DriverFailure, (place: string, engine: DatabaseTarget["engine"]) => string>
> = {
  // On PostgreSQL it may be other saves that hold the lock.
  store_locked: (place, engine) =>
    engine === "postgres"
      ? `The database ${place} is busy: other saves, or another program, lock it. Try again in a moment.`
      : `The database ${place} is locked by another program. Close it there and try again.`,
  store_read_only: (place) =>
    `The database ${place} cannot be written: no permission, or read-only. Give Assay the right to write there.`,
  store_full: (place) =>
    `The disk of the database ${place} is full, or takes no more of it. Free some space and try again.`,
  store_corrupt: (place) => describeDamage(place, "damaged or not a database"),
  store_unavailable: (place) => `The database ${place} cannot be opened.`,
};

function describeDamage(place: string, what: string): string {
  return (
    `The database ${place} is ${what}. Stop Assay, move away what is left of it and any file beside it that ends in ` +
    "-journal, -wal or -shm, put a copy from a backup in its place, and start Assay again."
  );
}

/** Refuses the address of another kind of database, which a driver would look for PostgreSQL at. @throws StoreError `store_unavailable` */
export function refuseOtherDatabase({ url }: PostgresTarget): void {
  if (!/^[a-z][\w+.-]*:\/\//i.test(url) || /^postgres(?:ql)?:/.test(url)) return;
  throw new StoreError(
    "store_unavailable",
    "DATABASE_URL is not the address of a PostgreSQL database, which begins with postgres://. Correct it, or unset it to keep data in files.",
  );
}

/** Returns the error of a file that was there and is not any more, or is another one. */
export function makeGoneError(target: DatabaseTarget): StoreError {
  const place = describeTarget(target);
  return new StoreError(
    "store_corrupt",
    `The database ${place} is gone: it was removed or replaced while Assay had it open. Stop Assay, put it or a copy from a backup back in ` +
      "its place, and start Assay again, which creates a new one if there is none.",
  );
}

export function makeUnfinishedError(target: DatabaseTarget): StoreError {
  const why = "has an unfinished write next to it (-journal or -wal), which Assay may not roll back";
  const message = `The database ${describeTarget(target)} ${why}. Give Assay the right to write there.`;
  return new StoreError("store_read_only", message);
}

/** Returns the error of a file in which damage was found, with what it is, such as "empty", before anything is written. */
export function makeDamageError(target: DatabaseTarget, what: string, cause?: string): StoreError {
  const place = describeTarget(target);
  return new StoreError("store_corrupt", describeDamage(place, what), { cause });
}

/**
 * A failure of SQLite, PostgreSQL, the network or the file system as a StoreError that says what is wrong and what to
 * do; errors of our own and faults in our statements pass through as they are.
 */
export function toStoreError(error: unknown, target: DatabaseTarget): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const cause = readCause(error);
  const code = cause === null ? null : findFailure(cause, target);
  if (cause === null || code === null) return error;
  // SQLite looks once more before it writes.
  if (cause === "SQLITE_READONLY_DBMOVED") return makeGoneError(target);
  if (cause === "SQLITE_READONLY_ROLLBACK") return makeUnfinishedError(target);
  const place = describeTarget(target);
  const message =
    code === "store_unavailable"
      ? describeUnavailable(place, cause, error, target)
      : SENTENCES[code](place, target.engine);
  return new StoreError(code, message, { cause: error });
}

/** Null for a fault in this code: a constraint or trigger that fired, a statement that is wrong. */
function findFailure(cause: string, target: DatabaseTarget): DriverFailure | null {
  const match = (failures: readonly (readonly [string, DriverFailure])[]): DriverFailure | undefined =>
    failures.find(([prefix]) => cause.startsWith(prefix))?.[1];
  if (target.engine === "postgres") {
    const isFault = isSqlState(cause) && !POSTGRES_UNAVAILABLE.some((one) => cause.startsWith(one));
    return match(POSTGRES_FAILURES) ?? (isFault ? null : "store_unavailable");
  }
  if (/^SQLITE_(?:CONSTRAINT|ERROR|MISUSE)/.test(cause)) return null;
  return match(SQLITE_FAILURES) ?? "store_unavailable";
}

function describeUnavailable(place: string, cause: string, error: Error, target: DatabaseTarget): string {
  const advice = POSTGRES_ADVICE.find(([prefix]) => cause.startsWith(prefix))?.[1];
  if (target.engine === "postgres" && advice !== undefined) return `The database ${place} ${advice}`;
  return `${SENTENCES.store_unavailable(place, target.engine)} (${error.message})`;
}

/** The drivers' messages for a connection that broke or was never made; those errors carry no code. */
const LOST_CONNECTION =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable/i;
/** The driver's message for an address without the password that the server asks for, which carries none either. */
const NO_PASSWORD = /password must be a string/i;

/** SQLite's result code, SQLSTATE, errno name, or `LOST` for a connection that broke; null for any other error. */
function readCause(error: Error): string | null {
  if (error instanceof Database.SqliteError) return error.code;
  if ("code" in error && typeof error.code === "string" && (isErrno(error.code) || isSqlState(error.code)))
    return error.code;
  if (NO_PASSWORD.test(error.message)) return "28P01";
  return LOST_CONNECTION.test(error.message) ? "LOST" : null;
}

const isErrno = (code: string): boolean => /^E[A-Z0-9_]+$/.test(code) && !code.startsWith("ERR_");
const isSqlState = (code: string): boolean => /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code);
