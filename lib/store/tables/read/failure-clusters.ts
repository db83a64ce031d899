import { sql } from "kysely";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { namePlace } from "./candidates";
import { atSamePlace, isAmong, isAt, isOfJobs, type JobScope, type RowPlace } from "./query";

export async function readClusterMembers(store: IndexStore, jobs: JobScope) {
  return store.db
    .selectFrom("trialFailures")
    .innerJoin("trials", atSamePlace("trialFailures", "trials"))
    .select(["trialFailures.jobRowId", "trialFailures.position", "trialFailures.clusterKey"])
    .select("trials.startedMs")
    .where(isOfJobs(store, "trialFailures.jobRowId", jobs))
    .orderBy("trialFailures.jobRowId")
    .orderBy("trialFailures.position")
    .execute();
}

export async function readClusterTexts(store: IndexStore, places: readonly RowPlace[]) {
  return store.db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .select(["trialFailures.clusterKey as key", "failureEvidence.clusterKind as kind"])
    .select(["failureEvidence.clusterScope as scope", "failureEvidence.clusterText as pattern"])
    .where(isAt(store, "trialFailures", places))
    .execute();
}

/** Cluster keys by {@link namePlace}. Passed, running and unclassified trials are absent. */
export async function readClusterKeys(
  store: IndexStore,
  jobs: JobScope,
): Promise<ReadonlyMap<string, string>> {
  const rows = await store.db
    .selectFrom("trialFailures")
    .select(["jobRowId", "position", "clusterKey"])
    .where(isOfJobs(store, "jobRowId", jobs))
    .execute();
  return new Map(rows.map((row) => [namePlace(row), row.clusterKey]));
}

export type ClusterTrialRow = Awaited<ReturnType<typeof readClusterTrials>>[number];

export async function readClusterTrials(store: IndexStore, keys: readonly string[]) {
  const rows = await store.db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .innerJoin("trials", atSamePlace("trialFailures", "trials"))
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .select(["trials.jobRowId", "trials.position", "trials.key", "trials.uuid", "trials.trialName"])
    .select(["trials.taskName", "trials.agent", "trials.model", "trials.attempt", "trials.outcome"])
    .select(["trials.rewardText", "trials.startedMs"])
    .select(["jobs.key as jobKey", "jobs.name as jobName"])
    .select(["trialFailures.clusterKey", "trialFailures.failureClass", "trialFailures.rule"])
    .select(["failureEvidence.clusterText as pattern", "failureEvidence.clusterSlots"])
    .select(["failureEvidence.clusterSignal"])
    .where(isAmong(store, "trialFailures.clusterKey", keys))
    .orderBy((order) => order.fn.coalesce("trials.startedMs", sql<number>`9e15`))
    .orderBy("trials.jobRowId")
    .orderBy("trials.position")
    .execute();
  return rows.map(({ clusterSlots, clusterSignal, ...row }) => ({
    ...row,
    slots: decodeValue(clusterSlots),
    signal: decodeValue(clusterSignal),
  }));
}

export type AttemptCount = Awaited<ReturnType<typeof countAttempts>>[number];

/** All attempts at every task, finished or not. Linear in the trials. */
export async function countAttempts({ db }: IndexStore) {
  return db
    .selectFrom("trials")
    .select(({ fn }) => ["jobRowId", "taskName", "agent", "model", fn.countAll<number>().as("nTrials")])
    .groupBy(["jobRowId", "taskName", "agent", "model"])
    .execute();
}
