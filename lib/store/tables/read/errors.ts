import { type ExpressionBuilder, sql } from "kysely";

import { compareNames } from "@/lib/core/domain/compare-text";
import type { LoadIssue } from "@/lib/core/domain/load-issue";

import type { IndexStore } from "../open-store";
import type { FacetName } from "../schema/stored-values";
import type { IndexTables } from "../schema/tables";
import {
  type JobScope,
  NEWEST_FIRST,
  contains,
  containsText,
  countRows,
  isAmong,
  isOfJobs,
  inOrder,
} from "./query";

export type ListedJob = Awaited<ReturnType<typeof readListedJobs>>[number];

export async function readListedJobs({ db }: IndexStore) {
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .select(["jobs.id", "jobs.key", "jobs.name", "jobs.nTrials", "sources.state"])
    .orderBy(NEWEST_FIRST)
    .execute();
  return rows.map(({ state, ...job }) => ({ ...job, isRead: state !== "listed" }));
}

export type GroupTotals = Awaited<ReturnType<typeof readGroupTotals>>[number];

/** Finished trials of every non-empty group. Linear in the trials, and reads only an index. */
export async function readGroupTotals(store: IndexStore) {
  const counts = await store.db
    .selectFrom("trials")
    .select(({ fn }) => ["jobRowId", "groupKey", fn.countAll<number>().as("nFinished")])
    .where("state", "=", "finished")
    .groupBy(["jobRowId", "groupKey"])
    .execute();
  const groups = await readJobGroups(store, null);
  const named = new Map(groups.map((group) => [`${group.jobRowId} ${group.key}`, group]));
  return counts.map((count) => {
    // Trials that name another job belong to no group of this one, and a key cannot be split.
    const { agent, model, source } = named.get(`${count.jobRowId} ${count.groupKey}`) ?? {
      agent: count.groupKey,
      model: null,
      source: null,
    };
    return { ...count, agent, model, source };
  });
}

export async function readJobGroups(store: IndexStore, jobs: JobScope) {
  return store.db
    .selectFrom("groups")
    .select(["jobRowId", "key", "agent", "model", "source"])
    .where(isOfJobs(store, "jobRowId", jobs))
    .orderBy(inOrder("jobRowId", "position"))
    .execute();
}

/**
 * The reward of a trial with an exception. `partial` is any other reward: between 0 and 1, NaN, or several keys without a
 * headline.
 */
type RewardBeside = "none" | "zero" | "partial" | "one";

export type ExceptionTally = Awaited<ReturnType<typeof readExceptionTallies>>[number];

/** Counts exceptions of all finished trials. `text` must occur in type or message. */
export async function readExceptionTallies(store: IndexStore, text = "") {
  const rows = await store.db
    .selectFrom("trials")
    .select(({ fn }) => [
      "jobRowId",
      "groupKey",
      "exceptionType as type",
      "exceptionCause as cause",
      sql<RewardBeside>`case when ${sql.ref("nRewardKeys")} = 0 then 'none' when reward is null then 'partial'
        when reward <= 0 then 'zero' when reward >= 1 then 'one' else 'partial' end`.as("beside"),
      sql<number>`case when outcome = 'passed' then 1 else 0 end`.as("passed"),
      fn.countAll<number>().as("count"),
    ])
    .where((where) => hasException(store, where, { text, type: null, jobRowIds: null, groupKeys: null }))
    .groupBy(["exceptionType", "exceptionCause", "jobRowId", "groupKey", "beside", "passed"])
    .execute();
  return rows.map(({ type, cause, passed, ...tally }) => ({
    ...tally,
    type: type ?? "",
    cause: cause ?? "other",
    hasPassed: passed === 1,
  }));
}

/** Selects finished trials with an exception. Null and an empty text mean any. */
interface ExceptionSelection {
  readonly type: string | null;
  readonly jobRowIds: readonly number[] | null;
  readonly groupKeys: readonly string[] | null;
  readonly text: string;
}

function hasException(
  store: IndexStore,
  where: ExpressionBuilder<IndexTables, "trials">,
  { type, jobRowIds, groupKeys, text }: ExceptionSelection,
) {
  const said = sql`${sql.ref("trials.exceptionType")} || ' ' || coalesce(${sql.ref("trials.exceptionMessage")}, '')`;
  return where.and([
    where("trials.exceptionType", "is not", null),
    where("trials.state", "=", "finished"),
    ...(type === null ? [] : [where("trials.exceptionType", "=", type)]),
    ...(jobRowIds === null ? [] : [isAmong(store, "trials.jobRowId", jobRowIds)]),
    ...(groupKeys === null ? [] : [isAmong(store, "trials.groupKey", groupKeys)]),
    ...(text === "" ? [] : [containsText(said, text)]),
  ]);
}

/** Returns the most frequent message, cut to 1,000 characters (null without one), and the number of distinct messages. */
export async function readExceptionMessages(store: IndexStore, selection: ExceptionSelection) {
  const said = sql<string>`trim(${sql.ref("trials.exceptionMessage")})`;
  const messages = store.db
    .selectFrom("trials")
    .select(({ fn }) => [said.as("message"), fn.countAll<number>().as("n")])
    .where((where) => hasException(store, where, selection))
    .where(said, "!=", "")
    .groupBy("message");
  const [commonest] = await messages.orderBy("n", "desc").orderBy("message").limit(1).execute();
  const nMessages = await countRows(store.db.selectFrom(messages.as("messages")));
  return { message: commonest?.message.trim() ?? null, nMessages };
}

export async function readExceptionTrials(store: IndexStore, selection: ExceptionSelection, limit: number) {
  return store.db
    .selectFrom("trials")
    .innerJoin("jobs", "jobs.id", "trials.jobRowId")
    .select(["trials.jobRowId", "jobs.key as jobKey", "trials.key", "trials.groupKey", "trials.taskName"])
    .select(["trials.attempt", "trials.exceptionStep as stepName", "trials.outcome", "trials.durationMs"])
    .where((where) => hasException(store, where as never, selection))
    .orderBy(inOrder(NEWEST_FIRST, "trials.position"))
    .limit(limit)
    .execute();
}

/**
 * Counts each headline reward (null for none) by group and task, over finished trials of jobs with ids from `first` to `last`.
 * Reads only an index, so the grouping names columns in its order.
 */
export async function readRewardTallies(
  { db }: IndexStore,
  { first, last }: { readonly first: number; readonly last: number },
) {
  return db
    .selectFrom("trials")
    .select((select) => [
      "jobRowId",
      "groupKey",
      "taskName",
      "reward",
      select.fn.countAll<number>().as("count"),
    ])
    .where("jobRowId", ">=", first)
    .where("jobRowId", "<=", last)
    .where("counts", "=", 1)
    .groupBy(["jobRowId", "groupKey", "taskName", "counts", "reward"])
    .execute();
}

/** Counts trials of a job that each scoring rule treats alike, by group, task and headline reward. */
export async function readRuleTallies({ db }: IndexStore, jobRowId: number) {
  const rows = await db
    .selectFrom("trials")
    .select(["groupKey", "taskName", "state", "rewardValid", "reward"])
    .select(({ fn }) => [
      sql<number>`case when ${sql.ref("nRewardKeys")} = 0 then 0 else 1 end`.as("hasReward"),
      fn.countAll<number>().as("count"),
    ])
    .where("jobRowId", "=", jobRowId)
    .groupBy(["groupKey", "taskName", "state", "rewardValid", "reward", "hasReward"])
    .execute();
  return rows.map(({ rewardValid, hasReward, ...tally }) => ({
    ...tally,
    isRewardValid: rewardValid === 1,
    hasReward: hasReward === 1,
  }));
}

/** Counts trials of a job by their own exception, which `harbor jobs resume` reads, unlike exceptions of steps. */
export async function readOwnExceptions({ db }: IndexStore, jobRowId: number) {
  const rows = await db
    .selectFrom("trials")
    .select(({ fn, eb }) => [
      "exceptionType as type",
      fn.countAll<number>().as("nTrials"),
      fn.sum<number>(eb.case().when("outcome", "=", "passed").then(1).else(0).end()).as("nPassed"),
    ])
    .where("jobRowId", "=", jobRowId)
    .where("exceptionType", "is not", null)
    .where("exceptionStep", "is", null)
    .where("state", "=", "finished")
    .groupBy("exceptionType")
    .execute();
  return rows.map(({ type, ...counts }) => ({ type: type ?? "", ...counts }));
}

interface IssuePlace {
  readonly jobKey: string;
  readonly trialKey: string | null;
  readonly file: string;
}

export interface PlacedIssue extends LoadIssue {
  /** Null for an issue of an opened folder, and for a file outside of it. */
  readonly place: IssuePlace | null;
}

/**
 * Returns at most `limit` issues that contain `text`, and how many match. Issues of one job keep the order in which they were
 * found; otherwise problems come first, then by path.
 */
export async function readIssues(
  { db }: IndexStore,
  { text = "", jobRowId = null, limit }: { text?: string; jobRowId?: number | null; limit: number },
) {
  let list = db.selectFrom("issues").leftJoin("jobs", "jobs.id", "issues.jobRowId");
  if (text !== "") list = list.where(contains("issues.search", text.toLowerCase()));
  if (jobRowId !== null) list = list.where("issues.jobRowId", "=", jobRowId);
  const chosen = list.select(["code", "path", "detail", "jobs.key", "trialKey", "file", "isProblem"]);
  const ordered =
    jobRowId === null
      ? chosen.orderBy("isProblem", "desc").orderBy("path").orderBy("code")
      : chosen.orderBy("origin");
  const rows = await ordered.orderBy("position").limit(limit).execute();
  const sorted =
    jobRowId === null
      ? rows.toSorted((a, b) => b.isProblem - a.isProblem || compareNames(a.path, b.path))
      : rows;
  const issues = sorted.map(({ key, trialKey, file, isProblem: _, ...issue }) => ({
    ...issue,
    place: key === null || file === null ? null : { jobKey: key, trialKey, file },
  }));
  return { issues, nMatching: rows.length < limit ? rows.length : await countRows(list) };
}

const MOST_OF_TRIAL = 1_000;

/**
 * Returns issues of one trial in the order they were found. Skips files of derived details, since the trial's page reads these
 * again.
 */
export async function readTrialIssues({ db }: IndexStore, jobRowId: number, trialKey: string) {
  return db
    .selectFrom("issues")
    .select(["code", "path", "detail"])
    .where((where) => where.and({ jobRowId, trialKey }))
    .where("origin", "<>", "derived-details")
    .orderBy(inOrder("origin", "position"))
    .limit(MOST_OF_TRIAL)
    .execute();
}

export async function isJobCut({ db }: IndexStore, jobRowId: number): Promise<boolean> {
  const row = await db
    .selectFrom("issues")
    .select("position")
    .where((where) => where.and({ jobRowId, code: "text_too_long" }))
    .where("trialKey", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface FacetValue<T extends string = string> {
  readonly value: T;
  readonly count: number;
}

/** Values by facet, most frequent first, then in natural order. Facets without values are absent. */
export type FacetValues = ReadonlyMap<FacetName, readonly FacetValue[]>;

export async function readJobFacets({ db }: IndexStore, jobRowId: number): Promise<FacetValues> {
  const rows = await db
    .selectFrom("facets")
    .select(["facet", "value", "count"])
    .where("jobRowId", "=", jobRowId)
    .execute();
  return groupFacets(rows);
}

export async function readTrialFacets({ db }: IndexStore): Promise<FacetValues> {
  const rows = await db
    .selectFrom("facets")
    .select((select) => ["facet", "value", select.fn.sum<number>("count").as("count")])
    .where("facet", "in", ["trial-outcome", "trial-exception", "trial-group", "trial-reward-key"])
    .groupBy(["facet", "value"])
    .execute();
  return groupFacets(rows);
}

export async function readCatalogFacets({ db }: IndexStore): Promise<FacetValues> {
  const rows = await db
    .selectFrom("facets")
    .select((select) => ["facet", "value", select.fn.countAll<number>().as("count")])
    .where("facet", "in", ["job-agent", "job-model", "job-dataset", "job-state", "job-check"])
    .groupBy(["facet", "value"])
    .execute();
  return groupFacets(rows);
}

function groupFacets(rows: readonly (FacetValue & { readonly facet: FacetName })[]): FacetValues {
  const sorted = rows.toSorted((a, b) => b.count - a.count || compareNames(a.value, b.value));
  const groups = Map.groupBy(sorted, ({ facet }) => facet);
  return new Map(
    Array.from(groups, ([facet, own]) => [facet, own.map(({ value, count }) => ({ value, count }))]),
  );
}
