import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { atSamePlace, contains, isAt, isOfJobs, type JobScope, type RowPlace } from "./query";

export type FailedTrial = Awaited<ReturnType<typeof readFailedTrials>>[number];

export async function readFailedTrials(store: IndexStore, jobs: JobScope = null) {
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

export type ClassifiedTrial = Pick<
  FailedTrial,
  "jobRowId" | "position" | "groupKey" | "failureClass" | "rule" | "isFinished"
>;

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

export async function findInEvidence({ db }: IndexStore, text: string): Promise<readonly RowPlace[]> {
  return db
    .selectFrom("failureEvidence")
    .select(["jobRowId", "position"])
    .where(contains("search", text.toLowerCase()))
    .execute();
}

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

export type FailureExample = Awaited<ReturnType<typeof readFailureExamples>>[number];

/** Ended trials of a job with their failure class; null if they passed or are not classified yet. */
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
