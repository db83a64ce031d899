import { atSamePlace, contains, isAt, isOfJobs, type JobScope, type RowPlace } from "./query";
import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { Stored } from "../schema/tables";

/** A trial that did not pass, and why. */
export interface FailedTrial extends Pick<
  Stored<"trialFailures">,
  "jobRowId" | "position" | "failureClass" | "groupKey" | "taskName" | "lostReward" | "clusterKey"
> {
  /** Id of the rule; empty where none fitted. */
  readonly rule: string;
  readonly key: string;
  /** Of the task's files; null where its result states none. */
  readonly taskDigest: string | null;
  readonly agent: string;
  readonly model: string | null;
  /** The dataset of its group; null where that names none. */
  readonly source: string | null;
  /** Whether it ended, so that its reward is in the mean of its group. */
  readonly isFinished: boolean;
}

/** Every trial of some jobs that did not pass, of those that are classified, in the order of its job. */
export async function readFailedTrials(
  store: IndexStore,
  jobs: JobScope = null,
): Promise<readonly FailedTrial[]> {
  const rows = await store.db
    .selectFrom("trialFailures")
    .innerJoin("trials", atSamePlace("trialFailures", "trials"))
    .leftJoin("groups", (join) =>
      join
        .onRef("groups.jobRowId", "=", "trialFailures.jobRowId")
        .onRef("groups.key", "=", "trialFailures.groupKey"),
    )
    .selectAll("trialFailures")
    .select(["trials.key", "trials.state", "trials.agent", "trials.model", "trials.taskDigest"])
    .select("groups.source")
    .where(isOfJobs(store, "trialFailures.jobRowId", jobs))
    .orderBy("trialFailures.jobRowId")
    .orderBy("trialFailures.position")
    .execute();
  return rows.map(({ state, ...row }) => ({ ...row, isFinished: state === "finished" }));
}

/** What counts of a trial that did not pass. */
export type ClassifiedTrial = Pick<
  FailedTrial,
  "jobRowId" | "position" | "groupKey" | "failureClass" | "rule" | "isFinished"
>;

/** The same trials of all jobs, with no more than counts of each. */
export async function readClassifiedTrials({ db }: IndexStore): Promise<readonly ClassifiedTrial[]> {
  const rows = await db
    .selectFrom("trialFailures")
    .innerJoin("trials", atSamePlace("trialFailures", "trials"))
    .select(["trialFailures.jobRowId", "trialFailures.position", "trialFailures.groupKey"])
    .select(["trialFailures.failureClass", "trialFailures.rule", "trials.state"])
    .orderBy("trialFailures.jobRowId")
    .orderBy("trialFailures.position")
    .execute();
  return rows.map(({ state, ...row }) => ({ ...row, isFinished: state === "finished" }));
}

/** Jobs that are read and whose trials are still to be classified, with their trials. */
export async function readUnclassifiedJobs({ db }: IndexStore): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .select(["jobs.id", "jobs.nTrials"])
    .where("jobs.failureRules", "=", "")
    .where("sources.state", "=", "read")
    .execute();
  return new Map(rows.map(({ id, nTrials }) => [id, nTrials]));
}

/** Places of trials in whose evidence, or in the rule's sentence, a text occurs. */
export async function findInEvidence({ db }: IndexStore, text: string): Promise<readonly RowPlace[]> {
  return db
    .selectFrom("failureEvidence")
    .select(["jobRowId", "position"])
    .where(contains("search", text.toLowerCase()))
    .execute();
}

/** What is shown of some failures, of places that are no longer there nothing. */
export async function readFailureExamples(store: IndexStore, places: readonly RowPlace[]) {
  if (places.length === 0) return [];
  const rows = await store.db
    .selectFrom("failureEvidence")
    .innerJoin("trials", atSamePlace("failureEvidence", "trials"))
    .innerJoin("jobs", "jobs.id", "failureEvidence.jobRowId")
    .select(["failureEvidence.jobRowId", "failureEvidence.position", "failureEvidence.why"])
    .select(["failureEvidence.evidence", "failureEvidence.clusterText"])
    .select(["trials.key", "trials.taskName", "trials.attempt", "trials.groupKey"])
    .select(["jobs.key as jobKey", "jobs.name as jobName"])
    .where(isAt(store, "failureEvidence", places))
    .execute();
  return rows.map(({ evidence, ...row }) => ({ ...row, evidence: decodeValue(evidence) }));
}

/** One of {@link readFailureExamples}. */
export type FailureExample = Awaited<ReturnType<typeof readFailureExamples>>[number];

/** The trials of a job that ended, and why those that did not pass did not; null for these also while they are not classified. */
export async function readEndedTrials({ db }: IndexStore, jobRowId: number) {
  return db
    .selectFrom("trials")
    .leftJoin("trialFailures", atSamePlace("trials", "trialFailures"))
    .leftJoin("failureEvidence", atSamePlace("trials", "failureEvidence"))
    .select(["trials.agent", "trials.model", "trials.groupKey", "trials.outcome"])
    .select(["trials.startedMs", "trials.durationMs"])
    .select(["trialFailures.failureClass", "failureEvidence.clusterText"])
    .where("trials.jobRowId", "=", jobRowId)
    .where("trials.state", "=", "finished")
    .orderBy("trials.position")
    .execute();
}
