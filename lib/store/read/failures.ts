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
    .select(["trialFailures.version", "failureEvidence.why", "failureEvidence.evidence"])
    .select("failureEvidence.clusterText")
    .where("trialFailures.jobRowId", "=", jobRowId)
    .where("trialFailures.position", "=", position)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...row, rule: row.rule === "" ? null : row.rule, evidence: decodeValue(row.evidence) };
}

/** What failures are counted by, beside their class and rule. */
export type FailureDivision = "jobRowId" | "groupKey" | "taskName";

/** Trials that did not pass for the same reason; by job, group and task as far as was asked. */
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

/**
 * Counts why trials of some jobs did not pass, by class and rule in this order, then by what is asked. Read from an index
 * alone: 20,000 failures by class and rule take some milliseconds; each that is told apart by job, group and task is a row
 * that has to be made.
 */
export async function readFailureTallies<Division extends FailureDivision = never>(
  store: IndexStore,
  jobs: JobScope,
  by: readonly Division[] = [],
): Promise<readonly Omit<FailureTally, Exclude<FailureDivision, Division>>[]> {
  const columns = (["jobRowId", "groupKey", "taskName"] as const).filter((column) =>
    by.some((asked) => asked === column),
  );
  const rows = await store.db
    .selectFrom("trialFailures")
    .select(({ fn }) => [
      "failureClass",
      "rule",
      ...columns,
      fn.countAll<number>().as("nTrials"),
      fn.sum<number>("lostReward").as("lostReward"),
    ])
    .where(isOfJobs(store, "jobRowId", jobs))
    .groupBy(["failureClass", "rule", ...columns])
    .orderBy("failureClass")
    .orderBy("rule")
    .execute();
  return rows;
}
