import type { FailureClass } from "@/lib/triage/classes";
import type { Signal } from "@/lib/triage/signals";

import { atSamePlace, isOfJobs, type JobScope } from "./query";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";

/** Why one trial did not pass. */
export interface TrialFailureRow {
  readonly failureClass: FailureClass;
  /** Id of the rule; null where none fitted. */
  readonly rule: string | null;
  /** Of the rules. */
  readonly version: string;
  /** The sentence of the rule; null where none fitted. */
  readonly why: string | null;
  readonly evidence: readonly Signal[];
  readonly clusterKey: string;
  /** The pattern of its cluster. */
  readonly clusterText: string;
}

/** Why a trial did not pass; null for one that passed or still runs, and while its job is not classified. */
export async function readTrialFailure(
  { db }: IndexStore,
  jobRowId: number,
  position: number,
): Promise<TrialFailureRow | null> {
  const row = await db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .select(["trialFailures.failureClass", "trialFailures.rule", "trialFailures.clusterKey"])
    .select(["failureEvidence.version", "failureEvidence.why", "failureEvidence.evidence"])
    .select("failureEvidence.clusterText")
    .where("trialFailures.jobRowId", "=", jobRowId)
    .where("trialFailures.position", "=", position)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...row, rule: row.rule === "" ? null : row.rule, evidence: decodeValue(row.evidence) };
}

/** Trials of one task and group of a job that did not pass for the same reason. */
export interface FailureTally {
  readonly jobRowId: number;
  readonly groupKey: string;
  readonly taskName: string;
  readonly failureClass: FailureClass;
  /** Id of the rule; empty where none fitted. */
  readonly rule: string;
  readonly nTrials: number;
  /** What is missing of full rewards over these trials together, 0 to `nTrials`. */
  readonly lostReward: number;
}

/** Why trials did not pass, counted by job, group, task, class and rule, in this order backwards. Read from an index alone. */
export async function readFailureTallies(
  store: IndexStore,
  jobs: JobScope,
): Promise<readonly FailureTally[]> {
  return store.db
    .selectFrom("trialFailures")
    .select(({ fn }) => [
      "failureClass",
      "rule",
      "jobRowId",
      "groupKey",
      "taskName",
      fn.countAll<number>().as("nTrials"),
      fn.sum<number>("lostReward").as("lostReward"),
    ])
    .where(isOfJobs(store, "jobRowId", jobs))
    .groupBy(["failureClass", "rule", "jobRowId", "groupKey", "taskName"])
    .orderBy("failureClass")
    .orderBy("rule")
    .orderBy("jobRowId")
    .orderBy("groupKey")
    .orderBy("taskName")
    .execute();
}
