import { sql } from "kysely";

import type { ListRange } from "@/lib/core/domain/list-page";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";
import { atSamePlace, countRows, isAmong, NEWEST_FIRST } from "./query";
import { selectStepCounts } from "./trial-filter";

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
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.groupKey")
    .orderBy("trials.attempt")
    .orderBy("trials.position")
    .limit(limit)
    .execute();
  return { rows, nMatching: rows.length < limit ? rows.length : await countRows(list) };
}

export async function readTaskTests(store: IndexStore, task: TaskIdentity, limit: number) {
  const rows = await selectTaskTrials(store, task)
    .innerJoin("trialTests", atSamePlace("trialTests", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialTests.failed", "trialTests.passed"])
    .limit(limit)
    .execute();
  return rows.map(({ failed, ...row }) => ({ ...row, failed: decodeValue(failed) }));
}

export async function readTaskDimensions(
  store: IndexStore,
  task: TaskIdentity,
  names: readonly string[],
  limit: number,
) {
  return selectTaskTrials(store, task)
    .innerJoin("trialDimensions", atSamePlace("trialDimensions", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialDimensions.name"])
    .select((select) => select.ref("trialDimensions.share").$notNull().as("share"))
    .where("trialDimensions.share", "is not", null)
    .where(isAmong(store, "trialDimensions.name", names))
    .limit(limit)
    .execute();
}

function selectTaskTrials({ db }: IndexStore, { taskName, taskDigest }: TaskIdentity) {
  const list = db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .leftJoin("trialSources", atSamePlace("trialSources", "trials"))
    .where("trials.taskName", "=", toColumnText(taskName))
    .where("jobs.purpose", "=", "benchmark")
    .where("trialSources.position", "is", null);
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
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .limit(limit)
    .offset(from)
    .execute();
  return { rows, nMatching: from === 0 && rows.length < limit ? rows.length : await countRows(list) };
}
