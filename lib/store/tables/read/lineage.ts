import { sql, type SqlBool } from "kysely";

import type { PlannedTask, SourceJob } from "@/lib/core/domain/lineage";
import { labelPlanned, type PlannedLabel } from "@/lib/core/domain/task-labels";
import type { TaskVersion } from "@/lib/core/domain/trial";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { atSamePlace } from "./query";

export interface LineageTrial extends Pick<
  Stored<"trials">,
  "key" | "state" | "outcome" | "reward" | "rewardText"
> {
  readonly jobKey: string;
  readonly jobName: string;
}

export interface RegradedTrial extends Omit<LineageTrial, "jobKey" | "jobName"> {
  readonly taskName: string;
  readonly sourceTask: TaskVersion;
  readonly ownTask: TaskVersion;
  readonly source: LineageTrial | null;
}

/** A link of an earlier generation may point to another trial by now. */
const IS_STATED_SOURCE = sql<SqlBool>`coalesce(source.uuid, stated.uuid, '') = coalesce(stated.uuid, source.uuid, '')`;

export async function readRegradedTrials(
  { db }: IndexStore,
  jobRowId: number,
  position: number | null = null,
): Promise<readonly RegradedTrial[]> {
  let query = db
    .selectFrom("trialSources as stated")
    .innerJoin("trials as own", atSamePlace("own", "stated"))
    .leftJoin("trialLinks as link", atSamePlace("link", "stated"))
    .leftJoin("trials as source", (join) =>
      join
        .onRef("source.jobRowId", "=", "link.sourceJobRowId")
        .onRef("source.position", "=", "link.sourcePosition")
        .on(IS_STATED_SOURCE),
    )
    .leftJoin("jobs", "jobs.id", "source.jobRowId")
    .select(["own.key", "own.state", "own.outcome", "own.reward", "own.rewardText", "own.taskName"])
    .select(["sourceVersion", "sourceDigest", "ownVersion", "ownDigest"])
    .select(["jobs.key as jobKey", "jobs.name as jobName", "source.key as sourceKey"])
    .select(["source.state as sourceState", "source.outcome as sourceOutcome"])
    .select(["source.reward as sourceReward", "source.rewardText as sourceRewardText"])
    .where("stated.jobRowId", "=", jobRowId)
    .orderBy("stated.position");
  if (position !== null) query = query.where("stated.position", "=", position);
  return (await query.execute()).map((row) => {
    const { key, state, outcome, reward, rewardText, taskName } = row;
    const { jobKey, jobName, sourceKey, sourceState, sourceOutcome } = row;
    const isOpen =
      jobKey !== null &&
      jobName !== null &&
      sourceKey !== null &&
      sourceState !== null &&
      sourceOutcome !== null;
    return {
      ...{ key, state, outcome, reward, rewardText, taskName },
      sourceTask: { version: row.sourceVersion, digest: row.sourceDigest },
      ownTask: { version: row.ownVersion, digest: row.ownDigest },
      source: isOpen
        ? {
            ...{ jobKey, jobName, key: sourceKey, state: sourceState, outcome: sourceOutcome },
            ...{ reward: row.sourceReward, rewardText: row.sourceRewardText },
          }
        : null,
    };
  });
}

function selectLinks({ db }: IndexStore) {
  return db
    .selectFrom("trialLinks as link")
    .innerJoin("trials as own", atSamePlace("own", "link"))
    .innerJoin("trials as source", (join) =>
      join
        .onRef("source.jobRowId", "=", "link.sourceJobRowId")
        .onRef("source.position", "=", "link.sourcePosition"),
    );
}

export async function readRegradesOf(
  store: IndexStore,
  jobRowId: number,
  position: number,
): Promise<readonly LineageTrial[]> {
  return selectLinks(store)
    .innerJoin("trialSources as stated", (join) => atSamePlace("stated", "link")(join).on(IS_STATED_SOURCE))
    .innerJoin("jobs", "jobs.id", "own.jobRowId")
    .select(["own.key", "own.state", "own.outcome", "own.reward", "own.rewardText"])
    .select(["jobs.key as jobKey", "jobs.name as jobName"])
    .where("link.sourceJobRowId", "=", jobRowId)
    .where("link.sourcePosition", "=", position)
    .orderBy("jobs.nameSort")
    .orderBy("own.position")
    .execute();
}

/** `nTrials` counts its trials that regrade trials of another job. */
export async function readRegradingJobs({ db }: IndexStore, jobRowId: number) {
  return db
    .selectFrom("trialLinks")
    .innerJoin("jobs", "jobs.id", "trialLinks.jobRowId")
    .select(["jobs.id", "jobs.key", "jobs.name"])
    .select((select) => select.fn.countAll<number>().as("nTrials"))
    .where("trialLinks.sourceJobRowId", "=", jobRowId)
    .groupBy(["jobs.id", "jobs.key", "jobs.name", "jobs.nameSort"])
    .orderBy("jobs.nameSort")
    .execute();
}

export async function readSourceJob({ db }: IndexStore, { id, name }: SourceJob) {
  const jobs = db.selectFrom("jobs").select(["id", "key", "name"]).orderBy("id").limit(2);
  const byId = id === null ? [] : await jobs.where("uuid", "=", toColumnText(id)).execute();
  if (byId[0] !== undefined) return byId.find((job) => job.name === name) ?? byId[0];
  if (name === null) return null;
  // A namesake with an id of its own is another job.
  const namesakes = jobs.where("name", "=", toColumnText(name));
  const found = await (id === null ? namesakes : namesakes.where("uuid", "is", null)).execute();
  return found.length === 1 ? (found[0] ?? null) : null;
}

export async function readPlannedTasks(
  { db }: IndexStore,
  jobRowId: number,
): Promise<readonly PlannedTask[]> {
  const row = await db
    .selectFrom("jobPlans")
    .select("plan")
    .where("jobRowId", "=", jobRowId)
    .executeTakeFirst();
  if (row === undefined) return [];
  const labels =
    await sql<PlannedLabel>`select distinct l."taskName", l.label, t."taskDigest" from "taskLabels" as l
    join trials as t on t."jobRowId" = l."jobRowId" and t."taskPosition" = l.position
    where l."jobRowId" = ${jobRowId}`.execute(db);
  return decodeValue(row.plan).map((task) => labelPlanned(task, labels.rows));
}

export type RolloutLink = Awaited<ReturnType<typeof readRolloutLinks>>[number];

export async function readRolloutLinks(store: IndexStore) {
  return selectLinks(store)
    .select(["link.jobRowId", "link.position", "own.groupKey", "link.sourceJobRowId", "link.sourcePosition"])
    .select("source.groupKey as sourceGroupKey")
    .execute();
}
