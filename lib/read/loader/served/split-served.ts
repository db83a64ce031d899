import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import Database from "better-sqlite3";

import { findTooManyValues } from "@/lib/core/domain/count-values";
import { NO_STATS } from "@/lib/core/domain/job";
import { sumKnown } from "@/lib/core/domain/lost-work";
import { parsePythonJson, PythonError } from "@/lib/core/scoring";
import { parseClockTime } from "@/lib/read/schema/clock-time";
import { parseJobLock, type JobConfigFile, parseJobConfig } from "@/lib/read/schema/job-files";

import { type JobFiles, NO_JOB_FILES } from "../discover/job-files";
import { parentFolder } from "../discover/load-root";
import { FILE_LIMITS, type FileReading, readFileBytes } from "../file-access";
import { isAbsent, stampFile } from "../file-stamp";
import type { FolderReader } from "../folder-reader";
import type { TrialReading } from "../harbor/trial-files";
import { locateJobLock, SERVER_ID, DATABASE } from "./data-folder";

export function splitServed(reader: FolderReader, readings: readonly TrialReading[]) {
  const records = readServerDatabase(reader, new Set(readings.map(readRolloutId)));
  const attempts = readings.map((reading) => {
    const rollout = records?.rollouts.get(readRolloutId(reading));
    return { reading, rollout, jobId: rollout?.jobId ?? reading.record.jobUuid };
  });
  const newest = new Map<string, TrialReading>();
  for (const { reading, jobId } of attempts) {
    const key = JSON.stringify([jobId, reading.record.trialName]);
    const known = newest.get(key);
    if (known === undefined || readStart(reading) > readStart(known)) newest.set(key, reading);
  }
  const newestSet = new Set(newest.values());
  // A queued rollout has only a lock.json, which names no job.
  const placed = attempts.filter(
    ({ jobId, reading }) => jobId !== null || reading.record.state !== "missing",
  );
  const byJob = Map.groupBy(placed, ({ jobId }) => jobId);
  const recorded = new Map<string | null, ServerJob>(records?.jobs.map((job) => [job.id, job]));
  return Array.from(new Set([...recorded.keys(), ...byJob.keys()]), (id) => {
    const isLatest = ({ rollout, reading }: (typeof placed)[number]) =>
      rollout?.isLatest ?? newestSet.has(reading);
    const [latest, earlier] = [true, false].map((wanted) =>
      (byJob.get(id) ?? []).filter((attempt) => isLatest(attempt) === wanted),
    );
    const job = recorded.get(id);
    return {
      name: job?.name ?? id ?? "Unknown job",
      files: readServedFiles(reader, id, job),
      isRecorded: job !== undefined,
      running: {
        ...NO_STATS,
        counters: new Map([["n_running_trials", job?.isRunning === true ? 1n : 0n] as const]),
      },
      readings: (latest ?? [])
        .filter(({ rollout }) => rollout?.hasBegun !== false)
        .map(({ reading }) => reading),
      earlier: { n: earlier?.length ?? 0, ...sumKnown((earlier ?? []).map(({ reading }) => reading.record)) },
    };
  });
}

function readRolloutId({ record }: TrialReading): string {
  const folder = parentFolder(record.folder);
  return folder.slice(folder.lastIndexOf("/") + 1);
}

/** An attempt without a result is still running, so it is the newest. */
function readStart({ record }: TrialReading): number {
  return record.time.startedAt?.epochMs ?? (record.state === "finished" ? -Infinity : Infinity);
}

function readServedFiles(reader: FolderReader, id: string | null, job: ServerJob | undefined): JobFiles {
  const lock =
    id !== null && SERVER_ID.test(id)
      ? reader.readFields(locateJobLock(reader.root, reader.folder, id), FILE_LIMITS.lock, parseJobLock)
      : null;
  const updatedAt = parseClockTime(job?.updatedAt);
  const time = { startedAt: parseClockTime(job?.startedAt), finishedAt: parseClockTime(job?.finishedAt) };
  const config = job?.config ?? null;
  return { ...NO_JOB_FILES, id, lock, config, time, updatedAt, writtenAtMs: updatedAt?.epochMs ?? 0 };
}

type ServerJob = ReturnType<typeof readServerJob>[number];

const MAX_BYTES = FILE_LIMITS.lock.bytes;
const MAX_TRIES = 5;
const MISSING = "harbor.sqlite3 is missing. Open the folder that contains it, or restore it next to files/.";
const BUSY = "The database is locked: another program is writing to it. Rescan once it is done.";
const FOREIGN = "Only the tables that Harbor 0.26 creates are read. Restore the database, or update Assay.";
const FALLBACK =
  "Until then jobs and retries come from the rollout folders: of the attempts at a trial, the one with the newest started_at counts.";

/** Reads a copy, because opening the database in place would create files next to it. @param reader - of the data folder */
function readServerDatabase(reader: FolderReader, ids: ReadonlySet<string>) {
  const copy = copyDatabase(reader);
  const records = typeof copy === "string" ? copy : readCopy(copy, ids);
  if (typeof records !== "string") return records;
  reader.report("server_database_unreadable", DATABASE, `${records} ${FALLBACK}`);
  return null;
}

function copyDatabase(reader: FolderReader) {
  const { root } = reader;
  const file = reader.locate(DATABASE);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const log = readFileBytes(root, `${file}-wal`, MAX_BYTES);
    const main = readFileBytes(root, file, MAX_BYTES);
    if (main.kind === "absent") return MISSING;
    if (main.kind === "refused") return main.issue.detail;
    if (log.kind === "refused") return `Its write-ahead log: ${log.issue.detail}`;
    // Only checkpoints write to the database, and only a restarted log gets a new header.
    const isUnchanged =
      stampFile(root, file) === main.stamp && isSameLog(log, readFileBytes(root, `${file}-wal`, MAX_BYTES));
    if (isUnchanged && isAbsent(root, `${file}-journal`))
      return { main: main.bytes, log: log.kind === "read" ? log.bytes : null };
  }
  return BUSY;
}

function isSameLog(a: FileReading, b: FileReading): boolean {
  if (a.kind !== "read" || b.kind !== "read") return a.kind === b.kind;
  return a.bytes.subarray(0, 32).equals(b.bytes.subarray(0, 32));
}

/** Views, virtual tables and computed columns would run code from the database. */
const COUNT_PLAIN_TABLES = `
  SELECT count(*) FROM sqlite_schema s WHERE type = 'table' AND sql LIKE 'CREATE TABLE %'
    AND name IN ('internal_job', 'internal_rollout', 'internal_rollout_request')
    AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(s.name) WHERE hidden <> 0)`;

const JOBS = `
  SELECT id, substr(name, 1, 1000) AS name, state, started_at, finished_at, updated_at,
    CASE WHEN length(config) <= ${FILE_LIMITS.config.bytes} THEN config END AS config
  FROM internal_job ORDER BY seq LIMIT 100000`;

const ROLLOUTS = `
  SELECT r.id, r.job_id, r.started_at, r.id = q.latest_rollout_id AS is_latest
  FROM internal_rollout r LEFT JOIN internal_rollout_request q ON q.id = r.rollout_request_id`;

type Row = Readonly<Record<string, unknown>>;

function readCopy(
  { main, log }: { readonly main: Buffer; readonly log: Buffer | null },
  ids: ReadonlySet<string>,
) {
  let folder: string | null = null;
  let database: Database.Database | null = null;
  try {
    folder = mkdtempSync(join(tmpdir(), "assay-served-"));
    writeFileSync(join(folder, DATABASE), main);
    if (log !== null) writeFileSync(join(folder, `${DATABASE}-wal`), log);
    database = new Database(join(folder, DATABASE), { readonly: true });
    database.pragma("trusted_schema = OFF");
    const version = database.pragma("user_version", { simple: true });
    if (version !== 1 || database.prepare(COUNT_PLAIN_TABLES).pluck().get() !== 3) return FOREIGN;
    const rollouts = new Map<string, { jobId: string; isLatest: boolean; hasBegun: boolean }>();
    for (const row of database.prepare<[], Row>(ROLLOUTS).iterate()) {
      const [id, jobId] = [readText(row, "id"), readText(row, "job_id")];
      if (id === null || jobId === null || !ids.has(id)) continue;
      rollouts.set(id, { jobId, isLatest: row["is_latest"] === 1, hasBegun: row["started_at"] !== null });
    }
    return { jobs: database.prepare<[], Row>(JOBS).all().flatMap(readServerJob), rollouts };
  } catch (error) {
    return describeFailure(error);
  } finally {
    database?.close();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof Database.SqliteError)
    return `The database is damaged (${error.message}). Restore it from a copy, then rescan.`;
  if (!(error instanceof Error && "syscall" in error && "code" in error)) throw error;
  return `Could not copy the database: ${String(error.code)}. Free or unlock the temporary folder, then rescan.`;
}

function readServerJob(row: Row) {
  const id = readText(row, "id");
  // Ids are also folder names.
  if (id === null || !SERVER_ID.test(id)) return [];
  return [
    {
      id,
      name: readText(row, "name") || id,
      isRunning: row["state"] === "running" || row["state"] === "cancelling",
      startedAt: readText(row, "started_at"),
      finishedAt: readText(row, "finished_at"),
      updatedAt: readText(row, "updated_at"),
      config: readConfig(readText(row, "config") ?? ""),
    },
  ];
}

function readText(row: Row, name: string): string | null {
  const value = row[name];
  return typeof value === "string" ? value : null;
}

function readConfig(text: string): JobConfigFile | null {
  if (findTooManyValues(text, DATABASE, FILE_LIMITS.config.values) !== null) return null;
  try {
    return parseJobConfig(parsePythonJson(text)).value;
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    return null;
  }
}
