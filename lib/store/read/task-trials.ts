import { sql } from "kysely";

import { toColumnText } from "@/lib/database";

import { atSamePlace, countRows, isAmong, NEWEST_FIRST } from "./query";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { selectStepCounts } from "./trial-filter";
import type { Stored } from "../schema/tables";

/** What makes trials of different jobs trials of the same task. */
export interface TaskIdentity {
  readonly taskName: string;
  /** Null where it is not stated; then the name decides. */
  readonly taskDigest: string | null;
}

export interface TaskTrial extends Pick<
  Stored<"trials">,
  | "jobRowId"
  | "position"
  | "key"
  | "uuid"
  | "groupKey"
  | "agent"
  | "model"
  | "attempt"
  | "outcome"
  | "rewardText"
  | "exceptionType"
> {
  readonly jobKey: string;
  readonly jobName: string;
  /** Of its trajectory; null without one, and while it is not read. */
  readonly nSteps: number | null;
}

/**
 * Trials of a task in all open benchmark jobs, and how many there are: those of one job first, then those of the newest. Regrades
 * are left out, which are their sources' rollouts, and trials that state another digest of the task.
 *
 * @param first - id of the job whose trials come first
 */
export async function readTaskTrials(
  store: IndexStore,
  task: TaskIdentity,
  first: number,
  limit: number,
): Promise<{ readonly rows: readonly TaskTrial[]; readonly nMatching: number }> {
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

/** The tests of the trials that {@link readTaskTrials} lists, as far as their verifiers left reports. */
export async function readTaskTests(store: IndexStore, task: TaskIdentity, limit: number) {
  const rows = await selectTaskTrials(store, task)
    .innerJoin("trialTests", atSamePlace("trialTests", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialTests.failed", "trialTests.passed"])
    .limit(limit)
    .execute();
  return rows.map(({ failed, ...row }) => ({ ...row, failed: decodeValue(failed) }));
}

/** What the trials that {@link readTaskTrials} lists say of some dimensions; of one that is named without a share nothing. */
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

/** Trials of a task in all open benchmark jobs, see {@link readTaskTrials}. */
export function selectTaskTrials({ db }: IndexStore, { taskName, taskDigest }: TaskIdentity) {
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
