import { sql } from "kysely";

import type { ClusterKind } from "@/lib/triage/clusters/cluster-of";

import { dropCopies } from "./copies";
import { namePlace } from "./candidates";
import { atSamePlace, isAmong, isOfJobs, type JobScope } from "./query";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";

/** A cluster of failures by itself, before near-duplicates are joined; see `FailureCluster` of lib/triage. */
export interface FailureClusterRow {
  readonly key: string;
  readonly kind: ClusterKind;
  readonly scope: string;
  readonly pattern: string;
  /** Trials, of copies of a trial one alone. */
  readonly nTrials: number;
  /** When the first and the last of its trials began, ms since 1970-01-01; null where that is known of none. */
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
}

/** Every cluster of the index, by key. Linear in the trials that did not pass. */
export async function readFailureClusters({ db }: IndexStore): Promise<readonly FailureClusterRow[]> {
  const trial = sql`coalesce(trials.uuid || ' ' || ${sql.ref("trials.trialName")}, ${sql.ref("trials.jobRowId")} || ' ' || trials.position)`;
  return db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .innerJoin("trials", atSamePlace("trialFailures", "trials"))
    .select(({ fn }) => [
      "trialFailures.clusterKey as key",
      // They are the same in all rows of a key.
      fn.min<ClusterKind>("failureEvidence.clusterKind").as("kind"),
      fn.min<string>("failureEvidence.clusterScope").as("scope"),
      fn.min<string>("failureEvidence.clusterText").as("pattern"),
      fn.min<number | null>("trials.startedMs").as("firstSeenMs"),
      fn.max<number | null>("trials.startedMs").as("lastSeenMs"),
      sql<number>`cast(count(distinct ${trial}) as integer)`.as("nTrials"),
    ])
    .groupBy("trialFailures.clusterKey")
    .orderBy("trialFailures.clusterKey")
    .execute();
}

/** Keys of the clusters of some jobs' trials by place, see {@link namePlace}. Absent: passed, running, and not classified yet. */
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

/** A trial of a cluster. */
export type ClusterTrialRow = Awaited<ReturnType<typeof readClusterTrials>>[number];

/** The trials of some clusters, of copies one alone: the oldest first, without a time last. */
export async function readClusterTrials(store: IndexStore, keys: readonly string[]) {
  const rows = await store.db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .innerJoin("trials", atSamePlace("trialFailures", "trials"))
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .select([
      "trials.jobRowId",
      "trials.position",
      "trials.key",
      "trials.uuid",
      "trials.trialName",
      "trials.taskName",
    ])
    .select([
      "trials.agent",
      "trials.model",
      "trials.attempt",
      "trials.outcome",
      "trials.rewardText",
      "trials.startedMs",
    ])
    .select(["jobs.key as jobKey", "jobs.name as jobName"])
    .select(["trialFailures.clusterKey", "trialFailures.failureClass", "trialFailures.rule"])
    .select(["failureEvidence.clusterText as pattern", "failureEvidence.clusterSlots"])
    .select(["failureEvidence.clusterSignal"])
    .where(isAmong(store, "trialFailures.clusterKey", keys))
    .orderBy((order) => order.fn.coalesce("trials.startedMs", sql<number>`9e15`))
    .orderBy("trials.jobRowId")
    .orderBy("trials.position")
    .execute();
  return dropCopies(rows).map(({ clusterSlots, clusterSignal, ...row }) => ({
    ...row,
    slots: decodeValue(clusterSlots),
    signal: decodeValue(clusterSignal),
  }));
}

/** Attempts at a task, counted by job, agent and model. */
export interface AttemptCount extends Pick<Stored<"trials">, "jobRowId" | "taskName" | "agent" | "model"> {
  readonly nTrials: number;
}

/** All attempts at every task, finished or not, copies counted as often as they are there. Linear in the trials. */
export async function countAttempts({ db }: IndexStore): Promise<readonly AttemptCount[]> {
  return db
    .selectFrom("trials")
    .select(({ fn }) => ["jobRowId", "taskName", "agent", "model", fn.countAll<number>().as("nTrials")])
    .groupBy(["jobRowId", "taskName", "agent", "model"])
    .execute();
}
