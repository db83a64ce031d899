import { sql } from "kysely";

import { takeTurns } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { GroupPlace } from "./groups";
import { atSamePlace, isAmong, isAt, isOfGroups, NEWEST_FIRST, type RowPlace } from "./query";
import { shareText } from "./shared-text";
import { selectStepCounts } from "./trial-filter";

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
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
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
    .orderBy(NEWEST_FIRST)
    .orderBy("trials.position")
    .execute();
  return rows.map((row) => ({
    ...row,
    counts: row.counts === 1,
    taskName: shareText(row.taskName),
    family: shareText(row.family),
    taskDigest: shareText(row.taskDigest),
    groupKey: shareText(row.groupKey),
    agent: shareText(row.agent),
    model: shareText(row.model),
    outcome: shareText(row.outcome),
    rewardText: shareText(row.rewardText),
    exceptionType: shareText(row.exceptionType),
    exceptionCause: shareText(row.exceptionCause),
    jobKey: shareText(row.jobKey),
    jobName: shareText(row.jobName),
  }));
}

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
  const rows = await selectScope(store, scope)
    .innerJoin("trialTests", atSamePlace("trialTests", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialTests.failed", "trialTests.passed"])
    .limit(limit)
    .execute();
  return rows.map(({ failed, ...row }) => ({ ...row, failed: decodeValue(failed) }));
}

export async function readScopeDimensions(store: IndexStore, scope: DatasetScope, limit: number) {
  return selectScope(store, scope)
    .innerJoin("trialDimensions", atSamePlace("trialDimensions", "trials"))
    .select(["trials.jobRowId", "trials.position", "trialDimensions.name"])
    .select((select) => select.ref("trialDimensions.share").$notNull().as("share"))
    .where("trialDimensions.share", "is not", null)
    .limit(limit)
    .execute();
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
    .orderBy(NEWEST_FIRST)
    .orderBy("groups.position")
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
