import { sql, type SqlBool } from "kysely";

import type { ListRange } from "@/lib/core/domain/list-page";
import { takeTurns, toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import type { GroupPlace } from "./groups";
import {
  NEWEST_FIRST,
  type RowPlace,
  atSamePlace,
  countRows,
  isAmong,
  isAt,
  isOfGroups,
  inOrder,
} from "./query";
import { shareTexts } from "./shared-text";
import { isSamePlace, selectStepCounts } from "./trial-filter";

export interface TaskIdentity {
  readonly taskName: string;
  readonly taskDigest: string | null;
}

export type TaskTrial = Awaited<ReturnType<typeof readTaskTrials>>["rows"][number];

/**
 * Returns trials of a task in all open benchmark jobs, and how many there are. Those of job `first` come first, then those of the
 * newest job. Excludes regrades, which repeat the rollouts of their sources, and trials with another task digest.
 */
export async function readTaskTrials(store: IndexStore, task: TaskIdentity, first: number, limit: number) {
  const list = selectTaskTrials(store, task);
  const rows = await list
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.uuid", "trials.groupKey"])
    .select(["trials.agent", "trials.model", "trials.attempt", "trials.outcome", "trials.rewardText"])
    .select(["trials.exceptionType", "jobs.key as jobKey", "jobs.name as jobName"])
    .select(selectStepCounts())
    .orderBy(sql`case when ${sql.ref("trials.jobRowId")} = ${first} then 0 else 1 end`)
    .orderBy(inOrder(NEWEST_FIRST, "trials.groupKey", "trials.attempt", "trials.position"))
    .limit(limit)
    .execute();
  return { rows, nMatching: rows.length < limit ? rows.length : await countRows(list) };
}

export async function readTaskTests(store: IndexStore, task: TaskIdentity, limit: number) {
  return readTests(selectTaskTrials(store, task), limit);
}

export async function readTaskDimensions(
  store: IndexStore,
  task: TaskIdentity,
  names: readonly string[],
  limit: number,
) {
  const named = isAmong(store, "trialDimensions.name", names);
  return selectDimensions(selectTaskTrials(store, task), limit).where(named).execute();
}

type TrialsInJobs = ReturnType<typeof selectTaskTrials>;

async function readTests(list: TrialsInJobs, limit: number) {
  const rows = await list
    .innerJoin("trialTests", atSamePlace("trialTests", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialTests.failed", "trialTests.passed"])
    .limit(limit)
    .execute();
  return rows.map(({ failed, ...row }) => ({ ...row, failed: decodeValue(failed) }));
}

function selectDimensions(list: TrialsInJobs, limit: number) {
  return list
    .innerJoin("trialDimensions", atSamePlace("trialDimensions", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialDimensions.name"])
    .select((select) => select.ref("trialDimensions.share").$notNull().as("share"))
    .where("trialDimensions.share", "is not", null)
    .limit(limit);
}

function selectTaskTrials({ db }: IndexStore, { taskName, taskDigest }: TaskIdentity) {
  const list = db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .where((where) => where.and({ "trials.taskName": toColumnText(taskName), "jobs.purpose": "benchmark" }))
    .where(
      sql<SqlBool>`not exists (select 1 from ${sql.table("trialSources")} as s where ${isSamePlace("s")})`,
    );
  if (taskDigest === null) return list;
  return list.where((where) =>
    where.or([where("trials.taskDigest", "=", taskDigest), where("trials.taskDigest", "is", null)]),
  );
}

export interface ComparedTrial
  extends TaskIdentity, Pick<Stored<"trials">, "jobRowId" | "position" | "agent" | "model" | "outcome"> {}

/**
 * Returns other attempts at a trial's task in all open jobs, the most useful for a comparison first. Attempts with the other
 * verdict come first, then same agent and model, same job, newest job.
 */
export async function readOtherAttempts(store: IndexStore, trial: ComparedTrial, { from, limit }: ListRange) {
  const list = selectTaskTrials(store, trial).where((where) =>
    where.or([
      where("trials.jobRowId", "<>", trial.jobRowId),
      where("trials.position", "<>", trial.position),
    ]),
  );
  const isPassed = sql`case when ${sql.ref("trials.outcome")} = 'passed' then 1 else 0 end`;
  const isOtherAgent = sql`case when ${sql.ref("trials.agent")} = ${toColumnText(trial.agent)}
    and coalesce(${sql.ref("trials.model")}, '') = ${toColumnText(trial.model ?? "")} then 0 else 1 end`;
  const isOtherJob = sql`case when ${sql.ref("trials.jobRowId")} = ${trial.jobRowId} then 0 else 1 end`;
  const rows = await list
    .select(["trials.key", "trials.agent", "trials.model", "trials.attempt", "trials.outcome"])
    .select(["trials.rewardText", "trials.durationMs", "trials.costUsd"])
    .select(["jobs.key as jobKey", "jobs.name as jobName"])
    .orderBy(isPassed, trial.outcome === "passed" ? "asc" : "desc")
    .orderBy(isOtherAgent)
    .orderBy(isOtherJob)
    .orderBy(inOrder(NEWEST_FIRST, "trials.position"))
    .limit(limit)
    .offset(from)
    .execute();
  return { rows, nMatching: from === 0 && rows.length < limit ? rows.length : await countRows(list) };
}

export interface DatasetScope {
  readonly groups: readonly GroupPlace[];
  readonly tasks: readonly string[] | null;
}

export type DatasetTrials = Awaited<ReturnType<typeof readDatasetTrials>>;
export type DatasetTrial = Omit<DatasetTrials["trials"][number], "sourcePosition">;

/** Returns trials of a dataset in all open benchmark jobs, without regrades, which repeat the rollouts of their sources. */
export async function readDatasetTrials(store: IndexStore, scope: DatasetScope, limit: number) {
  const found = await selectScope(store, scope)
    .select(["trials.jobRowId", "trials.position"])
    .orderBy(inOrder(NEWEST_FIRST, "trials.position"))
    .limit(limit + 1)
    .execute();
  const trials: Awaited<ReturnType<typeof readAt>>[number][] = [];
  let nRegraded = 0;
  for await (const places of takeTurns(found.slice(0, limit), READ_AT_ONCE)) {
    for (const row of await readAt(store, places, scope.tasks !== null)) {
      if (row.sourcePosition === null) trials.push(row);
      else nRegraded += 1;
    }
  }
  return { trials, nRegraded, isCut: found.length > limit };
}

/** Takes a few hundredths of a second, in which no other request is served. */
const READ_AT_ONCE = 5_000;

async function readAt(store: IndexStore, places: readonly RowPlace[], hasSteps: boolean) {
  const rows = await store.db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .leftJoin("trialSources", atSamePlace("trialSources", "trials"))
    .where(isAt(store, "trials", places))
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.taskName", "trials.family"])
    .select(["trials.taskDigest", "trials.groupKey", "trials.agent", "trials.model", "trials.attempt"])
    .select(["trials.outcome", "trials.reward", "trials.rewardText", "trials.exceptionType"])
    .select(["trials.exceptionCause", "trials.costUsd", "trials.durationMs", "trials.counts"])
    .select(["trials.startedMs", "jobs.key as jobKey", "jobs.name as jobName", "jobs.whenMs as jobWhenMs"])
    .select("trialSources.position as sourcePosition")
    .select(hasSteps ? selectStepCounts() : [sql<number | null>`null`.as("nSteps")])
    .orderBy(inOrder(NEWEST_FIRST, "trials.position"))
    .execute();
  return rows.map((row) => ({ ...shareTexts(row, REPEATED), counts: row.counts === 1 }));
}

const REPEATED = [
  ...(["taskName", "family", "taskDigest", "groupKey", "agent", "model", "outcome", "rewardText"] as const),
  ...(["exceptionType", "exceptionCause", "jobKey", "jobName"] as const),
];

function selectScope(store: IndexStore, { groups, tasks }: DatasetScope) {
  const list = store.db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .where(isOfGroups(store, "trials", groups));
  return tasks === null ? list : list.where(isAmong(store, "trials.taskName", tasks));
}

export type TrialDoubt = Awaited<ReturnType<typeof readDoubts>>[number];

export async function readDoubts(store: IndexStore, scope: DatasetScope, limit: number) {
  const rows = await selectScope(store, scope)
    .leftJoin("trialChecks", atSamePlace("trialChecks", "trials"))
    .leftJoin("suspicions", atSamePlace("suspicions", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialChecks.compareKey", "trialChecks.rewardsKey"])
    .select("suspicions.log")
    .where((where) =>
      where.or([where("trialChecks.compareKey", "is not", null), where("suspicions.log", "is not", null)]),
    )
    .limit(limit)
    .execute();
  return rows.map(({ log, ...row }) => ({ ...row, hasTraceback: log !== null }));
}

export async function readScopeTests(store: IndexStore, scope: DatasetScope, limit: number) {
  return readTests(selectScope(store, scope), limit);
}

export async function readScopeDimensions(store: IndexStore, scope: DatasetScope, limit: number) {
  return selectDimensions(selectScope(store, scope), limit).execute();
}

export type DatasetGroup = Awaited<ReturnType<typeof readDatasetGroups>>[number];

/**
 * Returns the evals groups of all jobs, newest job first. Skips jobs that only write reports, and groups with figures in a result
 * but no trials, since their tasks are unknown.
 */
export async function readDatasetGroups({ db }: IndexStore) {
  return db
    .selectFrom("groups")
    .innerJoin("jobs", "jobs.id", "groups.jobRowId")
    .where("jobs.purpose", "=", "benchmark")
    .where("groups.nTrials", ">", 0)
    .select(["groups.jobRowId", "groups.key", "groups.source", "groups.agent", "groups.model"])
    .select(["groups.nTrials", "jobs.whenMs"])
    .orderBy(inOrder(NEWEST_FIRST, "groups.position"))
    .execute();
}

export async function readGroupTasks({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .where("jobs.purpose", "=", "benchmark")
    .select(["trials.jobRowId", "trials.groupKey", "trials.taskName"])
    .groupBy(["trials.jobRowId", "trials.taskName", "trials.groupKey"])
    .execute();
}
