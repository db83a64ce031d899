import { join } from "node:path";

import Database from "better-sqlite3";

import { type FolderFiles, trialResult } from "./folder.fixture";

/** The columns of Harbor's tables that decide which jobs and trials there are. */
const TABLES = `
  CREATE TABLE internal_job (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, name TEXT NOT NULL,
    state TEXT NOT NULL, config TEXT NOT NULL, updated_at TEXT NOT NULL, started_at TEXT, finished_at TEXT);
  CREATE TABLE internal_rollout_request (id TEXT PRIMARY KEY, latest_rollout_id TEXT);
  CREATE TABLE internal_rollout (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, job_id TEXT NOT NULL,
    state TEXT NOT NULL, rollout_request_id TEXT NOT NULL, started_at TEXT);
  PRAGMA user_version = 1;`;

/** One attempt at a trial of a server. */
export interface Rollout {
  readonly id: string;
  readonly job: string;
  readonly trial: string;
  /** Null for one that is queued. */
  readonly startedAt: string | null;
  readonly reward: number | null;
  readonly isLatest: boolean;
}

/** An id as the server gives them, all of one digit. */
export function serverId(digit: string): string {
  return [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join("-");
}

/** The files that a server keeps of some rollouts, without its database. */
export function servedFiles(prefix: string, rollouts: readonly Rollout[]): FolderFiles {
  const files: Record<string, unknown> = {};
  const trialsOf = (job: string) =>
    new Set(rollouts.filter((rollout) => rollout.job === job).map(({ trial }) => trial));
  for (const { id, job, trial, startedAt, reward } of rollouts) {
    const folder = `${prefix}/rollouts/${id}/${trial}`;
    files[`${prefix}/jobs/${job}/lock.json`] = {
      schema_version: 3,
      harbor: { version: "0.26.0" },
      trials: Array.from(trialsOf(job), (name) => ({ task: { name }, agent: { name: "orca" } })),
    };
    files[`${folder}/lock.json`] = { schema_version: 2 };
    if (startedAt === null) continue;
    const config = { trial_name: trial, task: { path: "tasks/a" }, agent: { name: "orca" }, job_id: job };
    files[`${folder}/config.json`] = config;
    files[`${folder}/result.json`] = trialResult(trial, reward, { config, started_at: startedAt });
  }
  return files;
}

/** Creates a new server database in `folder` with these rollouts and opens it. The caller closes it. */
export function openServerDatabase(
  folder: string,
  rollouts: readonly Rollout[],
  journal: "DELETE" | "WAL" = "WAL",
): Database.Database {
  const db = new Database(join(folder, "harbor.sqlite3"));
  db.pragma(`journal_mode = ${journal}`);
  db.pragma("wal_autocheckpoint = 0");
  db.exec(TABLES);
  const addJob = db.prepare(
    "INSERT INTO internal_job (id, name, state, config, updated_at, started_at, finished_at) VALUES (?, ?, 'finished', ?, ?, ?, ?)",
  );
  const [start, end] = ["2026-11-01T10:00:00+00:00", "2026-11-01T12:00:00+00:00"];
  for (const job of new Set(rollouts.map((rollout) => rollout.job)))
    addJob.run(job, `run ${job.slice(0, 1)}`, '{"retry": {"max_retries": 2}}', end, start, end);
  for (const rollout of rollouts) addRollout(db, rollout);
  return db;
}

/** Adds a rollout as the server does. */
export function addRollout(db: Database.Database, rollout: Rollout): void {
  const { id, job, trial, startedAt, isLatest } = rollout;
  const request = `${job}/${trial}`;
  db.prepare(
    "INSERT INTO internal_rollout (id, job_id, state, rollout_request_id, started_at) VALUES (?, ?, ?, ?, ?)",
  ).run(id, job, startedAt === null ? "queued" : "finished", request, startedAt);
  if (isLatest) db.prepare("INSERT OR REPLACE INTO internal_rollout_request VALUES (?, ?)").run(request, id);
}
