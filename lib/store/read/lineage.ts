import { sql, type SqlBool } from "kysely";

import { toColumnText } from "@/lib/database";
import type { PlannedTask, SourceJob } from "@/lib/domain/lineage";
import type { Outcome, TaskVersion, TrialState } from "@/lib/domain/trial";

import { decodeValue } from "../schema/codec";
import type { IndexStore } from "../open-store";

/** A trial at one end of a regrade, with where it is open. */
export interface LineageTrial {
  readonly jobKey: string;
  readonly jobName: string;
  readonly key: string;
  readonly state: TrialState;
  readonly outcome: Outcome;
  /** Headline reward; null when there is none and for NaN. */
  readonly reward: number | null;
  /** The headline reward as Python writes it. */
  readonly rewardText: string | null;
}

/** A regraded trial of a job, and its source where that is open. */
export interface RegradedTrial extends Omit<LineageTrial, "jobKey" | "jobName"> {
  readonly taskName: string;
  readonly sourceTask: TaskVersion;
  readonly ownTask: TaskVersion;
  readonly source: LineageTrial | null;
}

/** All regraded trials of a job in directory order, or the one at a position. */
export async function readRegradedTrials(
  { db }: IndexStore,
  jobId: number,
  position: number | null = null,
): Promise<readonly RegradedTrial[]> {
  let query = db
    .selectFrom("trial_sources as stated")
    .innerJoin("trials as own", (join) =>
      join.onRef("own.job_id", "=", "stated.job_id").onRef("own.position", "=", "stated.position"),
    )
    .leftJoin("trial_links as link", (join) =>
      join.onRef("link.job_id", "=", "stated.job_id").onRef("link.position", "=", "stated.position"),
    )
    .leftJoin("trials as source", (join) =>
      join
        .onRef("source.job_id", "=", "link.source_job_id")
        .onRef("source.position", "=", "link.source_position")
        // A link of an earlier generation may lead to another trial by now.
        .on(sql<SqlBool>`coalesce(source.uuid, stated.uuid, '') = coalesce(stated.uuid, source.uuid, '')`),
    )
    .leftJoin("jobs", "jobs.id", "source.job_id")
    .select(["own.key", "own.state", "own.outcome", "own.reward", "own.reward_text", "own.task_name"])
    .select(["stated.source_version", "stated.source_digest", "stated.own_version", "stated.own_digest"])
    .select(["jobs.key as job_key", "jobs.name as job_name", "source.key as source_key"])
    .select(["source.state as source_state", "source.outcome as source_outcome"])
    .select(["source.reward as source_reward", "source.reward_text as source_reward_text"])
    .where("stated.job_id", "=", jobId)
    .orderBy("stated.position");
  if (position !== null) query = query.where("stated.position", "=", position);
  return (await query.execute()).map((row) => ({
    key: row.key,
    state: row.state as TrialState, // The indexer writes members of the closed list.
    outcome: row.outcome as Outcome,
    reward: row.reward,
    rewardText: row.reward_text,
    taskName: row.task_name,
    sourceTask: { version: row.source_version, digest: row.source_digest },
    ownTask: { version: row.own_version, digest: row.own_digest },
    source:
      row.job_key === null || row.job_name === null || row.source_key === null
        ? null
        : {
            jobKey: row.job_key,
            jobName: row.job_name,
            key: row.source_key,
            state: row.source_state as TrialState,
            outcome: row.source_outcome as Outcome,
            reward: row.source_reward,
            rewardText: row.source_reward_text,
          },
  }));
}

/** The open regrades of one trial, by job. */
export async function readRegradesOf(
  { db }: IndexStore,
  jobId: number,
  position: number,
): Promise<readonly LineageTrial[]> {
  const rows = await db
    .selectFrom("trial_links as link")
    .innerJoin("trials as own", (join) =>
      join.onRef("own.job_id", "=", "link.job_id").onRef("own.position", "=", "link.position"),
    )
    .innerJoin("trials as source", (join) =>
      join
        .onRef("source.job_id", "=", "link.source_job_id")
        .onRef("source.position", "=", "link.source_position"),
    )
    .innerJoin("trial_sources as stated", (join) =>
      join
        .onRef("stated.job_id", "=", "link.job_id")
        .onRef("stated.position", "=", "link.position")
        .on(sql<SqlBool>`coalesce(source.uuid, stated.uuid, '') = coalesce(stated.uuid, source.uuid, '')`),
    )
    .innerJoin("jobs", "jobs.id", "own.job_id")
    .select(["own.key", "own.state", "own.outcome", "own.reward", "own.reward_text"])
    .select(["jobs.key as job_key", "jobs.name as job_name"])
    .where("link.source_job_id", "=", jobId)
    .where("link.source_position", "=", position)
    .orderBy("jobs.name_sort")
    .orderBy("own.position")
    .execute();
  return rows.map((row) => ({
    jobKey: row.job_key,
    jobName: row.job_name,
    key: row.key,
    state: row.state as TrialState, // The indexer writes members of the closed list.
    outcome: row.outcome as Outcome,
    reward: row.reward,
    rewardText: row.reward_text,
  }));
}

/** A job with the number of its trials that regrade trials of another. */
export interface RegradingJob {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly nTrials: number;
}

/** The open jobs that regrade trials of a job, by name. */
export async function readRegradingJobs({ db }: IndexStore, jobId: number): Promise<readonly RegradingJob[]> {
  return db
    .selectFrom("trial_links")
    .innerJoin("jobs", "jobs.id", "trial_links.job_id")
    .select(["jobs.id", "jobs.key", "jobs.name"])
    .select((select) => select.fn.countAll<number>().as("nTrials"))
    .where("trial_links.source_job_id", "=", jobId)
    .groupBy(["jobs.id", "jobs.key", "jobs.name", "jobs.name_sort"])
    .orderBy("jobs.name_sort")
    .execute();
}

/** The open job that a config names as its source: by id, else by a name that one job alone has; null when it is not open. */
export async function readSourceJob(
  { db }: IndexStore,
  { id, name }: SourceJob,
): Promise<{ readonly id: number; readonly key: string; readonly name: string } | null> {
  const jobs = db.selectFrom("jobs").select(["id", "key", "name"]).orderBy("id").limit(2);
  const byId = id === null ? [] : await jobs.where("uuid", "=", toColumnText(id)).execute();
  if (byId[0] !== undefined) return byId.find((job) => job.name === name) ?? byId[0];
  if (name === null) return null;
  // A namesake with an id of its own is another job.
  const namesakes = jobs.where("name", "=", toColumnText(name));
  const found = await (id === null ? namesakes : namesakes.where("uuid", "is", null)).execute();
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The plan of a job by task, in plan order; empty when it has none. */
export async function readPlannedTasks({ db }: IndexStore, jobId: number): Promise<readonly PlannedTask[]> {
  const row = await db.selectFrom("job_plans").select("plan").where("job_id", "=", jobId).executeTakeFirst();
  return row === undefined ? [] : decodeValue<readonly PlannedTask[]>(row.plan);
}

/** A regraded trial and its source, with the evals groups of both. */
export interface RolloutLink {
  readonly jobId: number;
  readonly position: number;
  readonly groupKey: string;
  readonly sourceJobId: number;
  readonly sourcePosition: number;
  readonly sourceGroupKey: string;
}

/** Every open pair of a regraded trial and its source: trials that are one rollout. */
export async function readRolloutLinks({ db }: IndexStore): Promise<readonly RolloutLink[]> {
  return db
    .selectFrom("trial_links as link")
    .innerJoin("trials as own", (join) =>
      join.onRef("own.job_id", "=", "link.job_id").onRef("own.position", "=", "link.position"),
    )
    .innerJoin("trials as source", (join) =>
      join
        .onRef("source.job_id", "=", "link.source_job_id")
        .onRef("source.position", "=", "link.source_position"),
    )
    .select(["link.job_id as jobId", "link.position as position", "own.group_key as groupKey"])
    .select(["link.source_job_id as sourceJobId", "link.source_position as sourcePosition"])
    .select("source.group_key as sourceGroupKey")
    .execute();
}
