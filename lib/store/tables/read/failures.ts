import { type ExpressionBuilder, sql } from "kysely";

import type { FailureClass } from "@/lib/core/triage/classes";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import { CLASS_TABLES } from "../schema/derived-details-tables";
import type { IndexTables, Stored } from "../schema/tables";
import {
  atSamePlace,
  contains,
  isAmong,
  isAt,
  isOfJobs,
  type JobScope,
  type RowPlace,
  inOrder,
} from "./query";
import { shareTexts } from "./shared-text";
import { namePlace } from "./trials";

/** Null if the trial passed, still runs or is not classified yet. */
export async function readTrialFailure({ db }: IndexStore, jobRowId: number, position: number) {
  const row = await db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .select(["trialFailures.failureClass", "trialFailures.rule", "trialFailures.clusterKey"])
    .select(["trialFailures.version", "failureEvidence.why", "failureEvidence.evidence"])
    .select("failureEvidence.clusterText")
    .where((where) => where.and({ "trialFailures.jobRowId": jobRowId, "trialFailures.position": position }))
    .executeTakeFirst();
  return row === undefined ? null : decodeVerdict(row);
}

export async function readFailuresAt(store: IndexStore, places: readonly RowPlace[]) {
  const rows = await store.db
    .selectFrom("trialFailures")
    .innerJoin("failureEvidence", atSamePlace("trialFailures", "failureEvidence"))
    .select(["trialFailures.jobRowId", "trialFailures.position", "trialFailures.failureClass"])
    .select(["trialFailures.rule", "failureEvidence.evidence"])
    .where(isAt(store, "trialFailures", places))
    .execute();
  return new Map(
    rows.map(({ jobRowId, position, ...row }) => [namePlace({ jobRowId, position }), decodeVerdict(row)]),
  );
}

function decodeVerdict<Row extends Pick<Stored<"passedFailures">, "rule" | "evidence">>({
  rule,
  evidence,
  ...row
}: Row) {
  return { ...row, rule: rule === "" ? null : rule, evidence: decodeValue(evidence) };
}

/** The exception of a trial that did not fail for it; null for any other trial, and while its job is not classified. */
export async function readPassedFailure({ db }: IndexStore, jobRowId: number, position: number) {
  const row = await db
    .selectFrom("passedFailures")
    .select(["failureClass", "rule", "version", "why", "evidence"])
    .where((where) => where.and({ jobRowId, position }))
    .executeTakeFirst();
  return row === undefined ? null : decodeVerdict(row);
}

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
    .select(["trials.startedMs", "groups.source"])
    .where(isOfJobs(store, "trialFailures.jobRowId", jobs))
    .orderBy(inOrder("trialFailures.jobRowId", "trialFailures.position"))
    .execute();
  return rows.map(({ state, ...row }) => ({ ...shareTexts(row, SHARED), isFinished: state === "finished" }));
}

const SHARED = ["groupKey", "taskName", "failureClass", "rule", "clusterKey", "taskDigest"] as const;

export async function readClassifiedTrials({ db }: IndexStore) {
  const rows = await db
    .selectFrom("trialFailures")
    .innerJoin("trials", atSamePlace("trialFailures", "trials"))
    .select(["trialFailures.jobRowId", "trialFailures.position", "trialFailures.groupKey"])
    .select(["trialFailures.failureClass", "trialFailures.rule", "trials.state"])
    .orderBy(inOrder("trialFailures.jobRowId", "trialFailures.position"))
    .execute();
  return rows.map(({ state, ...row }) => {
    return { ...shareTexts(row, ["groupKey", "failureClass", "rule"]), isFinished: state === "finished" };
  });
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
    .select(["trials.key", "trials.trialName", "trials.taskName", "trials.attempt", "trials.groupKey"])
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
    .where((where) => where.and({ "trials.jobRowId": jobRowId, "trials.state": "finished" }))
    .orderBy("trials.position")
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
export async function readClusterKeys(store: IndexStore, jobs: JobScope) {
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
    .orderBy(inOrder("trials.jobRowId", "trials.position"))
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

interface JobRange {
  readonly first: number;
  readonly last: number;
}

/** Tallies counted trials of some classes, and unclassified ones, over jobs with ids from `first` to `last`. */
export async function readClassTallies(store: IndexStore, range: JobRange, classes: readonly FailureClass[]) {
  const columns = ["t.jobRowId", "t.groupKey", "t.taskName", "t.reward", "c.failureClass"] as const;
  return selectClassed(store, range, classes)
    .select([...columns, ({ fn }) => fn.countAll<number>().as("count")])
    .where("t.counts", "=", 1)
    .groupBy(columns)
    .execute();
}

export async function readTrialClasses(
  store: IndexStore,
  { jobRowId, groupKey }: { readonly jobRowId: number; readonly groupKey: string },
  classes: readonly FailureClass[],
): Promise<ReadonlyMap<string, FailureClass | null>> {
  const rows = await selectClassed(store, { first: jobRowId, last: jobRowId }, classes)
    .select(["t.key", "c.failureClass"])
    .where("t.groupKey", "=", toColumnText(groupKey))
    .execute();
  return new Map(rows.map(({ key, failureClass }) => [key, failureClass]));
}

/** Filters jobs to those with a failed trial that has no class from these rules or earlier ones. */
export async function readPartlyClassified(store: IndexStore, jobs: readonly number[]) {
  const rows = await store.db
    .selectFrom("trials as t")
    .leftJoin("trialFailures as f", atSamePlace("t", "f"))
    .select("t.jobRowId")
    .distinct()
    .where(isOfJobs(store, "t.jobRowId", jobs))
    .where("f.jobRowId", "is", null)
    .where(hasFailed)
    .execute();
  return new Set(rows.map(({ jobRowId }) => jobRowId));
}

export async function readJobRules(store: IndexStore, jobs: readonly number[]) {
  const [rows, issues] = await Promise.all([
    store.db
      .selectFrom("jobs")
      .select(["id", "version", "failureRules as rules"])
      .where(isOfJobs(store, "id", jobs))
      .execute(),
    store.db
      .selectFrom("issues")
      .select(["jobRowId", "detail"])
      .where(isOfJobs(store, "jobRowId", jobs))
      .where("origin", "=", "failures")
      .execute(),
  ]);
  const faults = new Map(issues.map(({ jobRowId, detail }) => [jobRowId, detail]));
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, fault: faults.get(id) ?? null }]));
}

/** Equals `hasFailed` of lib/core/triage. */
function hasFailed(where: ExpressionBuilder<IndexTables & { t: IndexTables["trials"] }, "t">) {
  return where.and([
    where("t.outcome", "not in", ["passed", "running"]),
    where.or([where("t.outcome", "!=", "unscored"), where("t.nRewardKeys", "<=", 1)]),
  ]);
}

/** One statement, so that a trial classified meanwhile appears once. */
function selectClassed({ db }: IndexStore, { first, last }: JobRange, classes: readonly FailureClass[]) {
  const ofTable = (table: (typeof CLASS_TABLES)[number]) =>
    db
      .selectFrom<"trialFailures" | "passedFailures">(table)
      .select([
        "jobRowId",
        "position",
        sql<FailureClass | null>`${sql.ref("failureClass")}`.as("failureClass"),
      ])
      .where("jobRowId", ">=", first)
      .where("jobRowId", "<=", last)
      .where("failureClass", "in", classes);
  const isClassified = CLASS_TABLES.map(
    (table) =>
      sql`exists (select 1 from ${sql.table(table)} as c where c."jobRowId" = t."jobRowId" and c.position = t.position)`,
  );
  // With an exception or failed, as in `hasPassedInSpite` of lib/core/triage, and in no table of classes.
  const unclassified = db
    .selectFrom("trials as t")
    .select(["t.jobRowId", "t.position", sql<FailureClass | null>`null`.as("failureClass")])
    .where("t.jobRowId", ">=", first)
    .where("t.jobRowId", "<=", last)
    .where((where) => where.or([where("t.exceptionType", "is not", null), hasFailed(where)]))
    .where(sql<boolean>`not (${sql.join(isClassified, sql` or `)})`);
  return db
    .selectFrom(ofTable("trialFailures").unionAll(ofTable("passedFailures")).unionAll(unclassified).as("c"))
    .innerJoin("trials as t", atSamePlace("t", "c"))
    .where("t.state", "=", "finished");
}
