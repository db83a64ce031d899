import { sql } from "kysely";

import type { Suspicion } from "@/lib/domain/verifier-check";

import { isAmong } from "./among";
import type { IndexStore } from "../open-store";

/** Suspicions by trial key: of the trials with these keys, or of all suspects of a job. */
export async function readSuspicions(
  store: IndexStore,
  jobId: number,
  keys: readonly string[] | null = null,
): Promise<ReadonlyMap<string, Suspicion>> {
  if (keys?.length === 0) return new Map();
  let query = selectSuspects(store)
    .select(["trials.key", "suspicions.log", "suspicions.log_line", "suspicions.lacks_details"])
    .where("suspicions.job_id", "=", jobId)
    .orderBy("suspicions.position");
  if (keys !== null) query = query.where(isAmong(store, "trials.key", keys));
  return new Map((await query.execute()).map((row) => [row.key, toSuspicion(row)]));
}

function selectSuspects({ db }: IndexStore) {
  return db
    .selectFrom("suspicions")
    .innerJoin("trials", (join) =>
      join
        .onRef("trials.job_id", "=", "suspicions.job_id")
        .onRef("trials.position", "=", "suspicions.position"),
    );
}

function toSuspicion(row: {
  readonly log: string | null;
  readonly log_line: number | null;
  readonly lacks_details: number;
}): Suspicion {
  return {
    traceback: row.log === null ? null : { file: row.log, line: row.log_line },
    lacksDetails: row.lacks_details === 1,
  };
}

/** A trial whose verifier may have crashed, as lists show it. */
export interface SuspectTrial {
  readonly key: string;
  readonly taskName: string;
  readonly attempt: number;
  readonly groupKey: string;
  /** Null when the trial has no headline reward. */
  readonly rewardText: string | null;
  readonly suspicion: Suspicion;
}

/** The first suspects of a job by task and attempt. */
export async function readSuspects(
  store: IndexStore,
  jobId: number,
  limit: number,
): Promise<readonly SuspectTrial[]> {
  const rows = await selectSuspects(store)
    .select([
      "trials.key",
      "trials.task_name",
      "trials.attempt",
      "trials.group_key",
      "trials.reward_text",
      "suspicions.log",
      "suspicions.log_line",
      "suspicions.lacks_details",
    ])
    .where("suspicions.job_id", "=", jobId)
    .orderBy("trials.task_position")
    .orderBy("trials.attempt")
    .orderBy("trials.position")
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    key: row.key,
    taskName: row.task_name,
    attempt: row.attempt,
    groupKey: row.group_key,
    rewardText: row.reward_text,
    suspicion: toSuspicion(row),
  }));
}

/** Suspects of one group of a job. */
export interface SuspectTally {
  readonly jobId: number;
  readonly groupKey: string;
  readonly nTrials: number;
  /** Of these, those whose log has a traceback, and those without details where others have some; both may hold. */
  readonly nTraceback: number;
  readonly nLackDetails: number;
}

/** Suspects by job and group, of all jobs or of one. */
export async function readSuspectTallies(
  store: IndexStore,
  jobId: number | null = null,
): Promise<readonly SuspectTally[]> {
  let query = selectSuspects(store)
    .select(({ fn }) => [
      "suspicions.job_id",
      "trials.group_key",
      fn.countAll<number>().as("n"),
      fn.count<number>("suspicions.log").as("n_traceback"),
      sql<number>`sum(suspicions.lacks_details)`.as("n_lack"),
    ])
    .groupBy(["suspicions.job_id", "trials.group_key"]);
  if (jobId !== null) query = query.where("suspicions.job_id", "=", jobId);
  return (await query.execute()).map((row) => ({
    jobId: row.job_id,
    groupKey: row.group_key,
    nTrials: row.n,
    nTraceback: row.n_traceback,
    nLackDetails: row.n_lack,
  }));
}

/** What the other trials of a task left, beside a trial that is suspected for having left no details. */
export interface SiblingDetails {
  /** Other finished trials of the task in the job, and those of them with details. */
  readonly nOthers: number;
  readonly nWithDetails: number;
  /** Of both, those with a reward of 0. */
  readonly nZero: number;
  readonly nZeroWithDetails: number;
  /** Trials with details in other jobs that ran the same task, by its digest. */
  readonly nElsewhere: number;
}

/** Who else left details for a trial's task. */
export async function readSiblingDetails(
  { db }: IndexStore,
  jobId: number,
  trial: { readonly position: number; readonly taskName: string; readonly taskDigest: string | null },
): Promise<SiblingDetails> {
  const trials = db
    .selectFrom("trials")
    .leftJoin("trial_checks", (join) =>
      join
        .onRef("trial_checks.job_id", "=", "trials.job_id")
        .onRef("trial_checks.position", "=", "trials.position"),
    );
  const own = await trials
    .select(({ fn }) => [
      fn.countAll<number>().as("n"),
      sql<number | null>`sum(trial_checks.has_details)`.as("n_with"),
      sql<number | null>`sum(case when trials.reward = 0 then 1 else 0 end)`.as("n_zero"),
      sql<number | null>`sum(case when trials.reward = 0 then trial_checks.has_details else 0 end)`.as(
        "n_zero_with",
      ),
    ])
    .where("trials.job_id", "=", jobId)
    .where("trials.task_name", "=", trial.taskName)
    .where("trials.state", "=", "finished")
    .where("trials.position", "!=", trial.position)
    .executeTakeFirst();
  const elsewhere =
    trial.taskDigest === null
      ? undefined
      : await trials
          .select(({ fn }) => fn.countAll<number>().as("n"))
          .where("trials.task_name", "=", trial.taskName)
          .where("trials.task_digest", "=", trial.taskDigest)
          .where("trials.job_id", "!=", jobId)
          .where("trial_checks.has_details", "=", 1)
          .executeTakeFirst();
  return {
    nOthers: own?.n ?? 0,
    nWithDetails: own?.n_with ?? 0,
    nZero: own?.n_zero ?? 0,
    nZeroWithDetails: own?.n_zero_with ?? 0,
    nElsewhere: elsewhere?.n ?? 0,
  };
}
