import { hash } from "node:crypto";

import { type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { LRUCache } from "lru-cache";

import { compareNames } from "@/lib/core/domain/compare-text";
import { WHOLE_JOB, listUncountedJobs } from "@/lib/core/domain/copies";
import type { JobHead } from "@/lib/core/domain/job-head";
import type { ListRange } from "@/lib/core/domain/list-page";
import type { JobSort } from "@/lib/core/fields/jobs.fields";
import { toColumnText } from "@/lib/store/database";

import type { IndexStore } from "../open-store";
import { decodeValue } from "../schema/codec";
import type { FacetName } from "../schema/stored-values";
import type { IndexTables } from "../schema/tables";
import { divideJobs, type JobGrouping, readSections } from "./job-sections";
import {
  NEWEST_FIRST,
  type SortKey,
  contains,
  countRows,
  isAmong,
  isOfJobs,
  orderList,
  readListPage,
  inOrder,
} from "./query";

/** Empty lists and an empty text mean no filter. */
export interface JobSelection {
  readonly text: string;
  /** True for jobs that only write reports about others, false for all other jobs. */
  readonly isReports: boolean;
  /** Milliseconds since 1970, and null for no filter, which also lists jobs without a time. */
  readonly sinceMs?: number | null;
  readonly facets: Readonly<Partial<Record<FacetName, readonly string[]>>>;
}

const ORDERS = {
  finished: "whenMs",
  job: "nameSort",
  trials: "nTrials",
  mean: "bestMean",
  cost: "costUsd",
} as const satisfies Readonly<Record<JobSort, keyof IndexTables["jobs"]>>;

export interface JobsOrder {
  readonly by: JobSort;
  readonly descending: boolean;
  /** Sections with the newest job come first; null or absent for one list. */
  readonly grouping?: JobGrouping | null;
}

export async function readJobs(
  store: IndexStore,
  selection: JobSelection,
  sort: JobsOrder,
  range: ListRange,
) {
  const jobs = await selectJobs(store, selection);
  const order = orderJobs(sort);
  const page =
    sort.grouping == null
      ? {
          ...(await readListPage(jobs.select("id"), order, range)),
          sections: [],
          sectionOf: new Map<number, string>(),
        }
      : await readSections(store, jobs, sort.grouping, order, range);
  const sums = await jobs
    .select((select) => [
      sumOf(select, "nTrials"),
      sumOf(select, "nMismatched"),
      select.fn.sum<number | null>("costUsd").as("costUsd"),
      select.fn.max<number | null>("whenMs").as("newestMs"),
      sql<number>`count(case when verdict = 'incomplete' then 1 end)`.as("nIncomplete"),
      sql<number>`count(case when verdict = 'unknown-rule' then 1 end)`.as("nUnknown"),
    ])
    .executeTakeFirstOrThrow();
  const rows = await readHeads(
    store,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows, ...sums };
}

function sumOf<Name extends "nTrials" | "nMismatched">(
  { fn }: ExpressionBuilder<IndexTables, "jobs">,
  column: Name,
) {
  return fn.coalesce(fn.sum<number>(column), sql.lit(0)).as(column);
}

export async function listJobIds(store: IndexStore, selection: JobSelection, sort: JobsOrder) {
  const jobs = await selectJobs(store, selection);
  const order = orderJobs(sort);
  const divided = sort.grouping == null ? null : divideJobs(store, jobs, sort.grouping, order);
  const rows = await (
    divided === null ? orderList(jobs.select("id"), order) : orderList(divided.list, divided.order)
  ).execute();
  return rows.map(({ id }) => id);
}

function orderJobs({ by, descending }: JobsOrder): readonly SortKey[] {
  return [
    { column: ORDERS[by], descending },
    { column: "whenMs", descending: true },
    { column: "nameSort" },
    { column: "id" },
  ];
}

async function selectJobs(store: IndexStore, selection: JobSelection) {
  const text = selection.text.toLowerCase();
  const named = text === "" ? [] : await readJobsByText(store, text);
  return store.db.selectFrom("jobs").where((where) => {
    const facets = [
      where("jobs.purpose", selection.isReports ? "!=" : "=", "benchmark"),
      ...matchesFacets(store, where, selection),
      ...(typeof selection.sinceMs !== "number" ? [] : [where("jobs.whenMs", ">=", selection.sinceMs)]),
    ];
    if (text === "") return where.and(facets);
    const isNamed = [
      contains("jobs.search", text),
      contains("jobs.keySearch", text),
      isAmong(store, "jobs.id", named),
    ];
    return where.and([...facets, where.or(isNamed)]);
  });
}

function matchesFacets(
  store: IndexStore,
  where: ExpressionBuilder<IndexTables, "jobs">,
  { facets }: JobSelection,
) {
  return Object.entries(facets)
    .filter(([, values]) => values.length > 0)
    .map(([facet, values]) =>
      where(
        "jobs.id",
        "in",
        where
          .selectFrom("facets")
          .select("facets.jobRowId")
          .where("facets.facet", "=", facet as FacetName) // A key of the record.
          .where(isAmong(store, "facets.value", values)),
      ),
    );
}

/** Runs once per search, since it reads every name. */
async function readJobsByText({ db }: IndexStore, text: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("jobTexts")
    .select("jobTexts.jobRowId")
    .where(contains("jobTexts.search", text))
    .execute();
  const labels = await db.selectFrom("taskLabels").select(["jobRowId", "label"]).execute();
  const isNamed = labels.filter(({ label }) => label.toLowerCase().includes(text));
  return [...rows, ...isNamed].map((row) => row.jobRowId);
}

export async function countReportJobs({ db }: IndexStore): Promise<number> {
  return countRows(db.selectFrom("jobs").where("purpose", "!=", "benchmark"));
}

export type IndexTotals = Awaited<ReturnType<typeof readTotals>>;

export async function readTotals({ db }: IndexStore) {
  const jobs = await db
    .selectFrom("jobs")
    .select((select) => [select.fn.countAll<number>().as("nJobs"), sumOf(select, "nTrials")])
    .executeTakeFirstOrThrow();
  const nProblems = await countRows(db.selectFrom("issues").where("isProblem", "=", 1));
  return {
    ...jobs,
    nProblems,
    nNotes: (await countRows(db.selectFrom("issues"))) - nProblems,
  };
}

export async function readRoots({ db }: IndexStore) {
  return db
    .selectFrom("roots")
    .leftJoin("sources", "sources.root", "roots.position")
    .leftJoin("jobs", "jobs.sourceId", "sources.id")
    .select((select) => [
      "roots.label",
      "roots.path",
      select.fn.count<number>("jobs.id").as("nJobs"),
      select.fn.coalesce(select.fn.sum<number>("jobs.nTrials"), select.lit(0)).as("nTrials"),
    ])
    .groupBy(["roots.position", "roots.label", "roots.path"])
    .orderBy("roots.position")
    .execute();
}

export async function readAgentModels({ db }: IndexStore) {
  const rows = await db
    .selectFrom("groups")
    .innerJoin("jobs", "jobs.id", "groups.jobRowId")
    .select(["groups.agent", "groups.model"])
    .orderBy("jobs.whenMs", (order) => order.asc().nullsFirst())
    .orderBy("jobs.nameSort", "desc")
    .orderBy("jobs.id", "desc")
    .orderBy("groups.position")
    .execute();
  return [...new Map(rows.map((row) => [JSON.stringify([row.agent, row.model]), row])).values()];
}

export async function readJobNames({ db }: IndexStore, limit: number) {
  return db
    .selectFrom("jobs")
    .select(["key", "name"])
    .orderBy((order) => order.fn.coalesce("whenMs", order.lit(0)), "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function readRootLabel({ db }: IndexStore, position: number): Promise<string> {
  const row = await db
    .selectFrom("roots")
    .select("label")
    .where("position", "=", position)
    .executeTakeFirst();
  return row?.label ?? "";
}

/**
 * Returns a text for each job id that changes when the job is read, renamed, marked as unclassified or fully classified. It does
 * not change during classification, text reading or scans. Linear in the jobs.
 */
export async function readJobStates({ db }: IndexStore): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom("jobs")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .select(["jobs.id", "jobs.version", "jobs.failureRules", "sources.state"])
    .orderBy("jobs.id")
    .execute();
  return new Map(rows.map(({ id, ...job }) => [id, JSON.stringify(job)]));
}

export function fingerprintJobs(states: ReadonlyMap<number, string>): string {
  return hash("sha256", JSON.stringify([...states]));
}

export async function readMemberJobs(store: IndexStore, uuids: readonly string[], keys: readonly string[]) {
  if (uuids.length + keys.length === 0) return [];
  return store.db
    .selectFrom("jobs")
    .select(["id as rowId", "key", "name", "uuid"])
    .where((where) => where.or([isAmong(store, "jobs.uuid", uuids), isAmong(store, "jobs.key", keys)]))
    .orderBy("id")
    .execute();
}

/** Decoded heads by version: a page of the jobs list has a hundred, and most did not change. */
const decoded = new LRUCache<number, JobHead>({ max: 2_000 });

export async function readHeads(store: IndexStore, ids: readonly number[]): Promise<readonly JobHead[]> {
  if (ids.length === 0) return [];
  const jobs = await store.db.selectFrom("jobs").select(["id", "version"]).where("id", "in", ids).execute();
  const known = jobs.flatMap(({ version }) => decoded.get(version) ?? []);
  const stale = jobs.filter(({ version }) => !decoded.has(version)).map(({ id }) => id);
  const read = await decodeHeads(store, stale);
  for (const job of read) decoded.set(job.version, job);
  const byId = new Map([...known, ...read].map((job) => [job.rowId, job]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function decodeHeads({ db }: IndexStore, ids: readonly number[]): Promise<readonly JobHead[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("jobs")
    .select(["id", "version", "key", "head", "hasDerivedDetails"])
    .where("id", "in", ids)
    .execute();
  const groups = await db
    .selectFrom("groups")
    .select(["jobRowId", "summary"])
    .where("jobRowId", "in", ids)
    .orderBy(inOrder("jobRowId", "position"))
    .execute();
  const byJob = Map.groupBy(groups, (row) => row.jobRowId);
  return rows.map(({ id, version, key, head, hasDerivedDetails }) => {
    const stored = decodeValue(head);
    return {
      ...stored,
      rowId: id,
      version,
      key,
      hasDerivedDetails: hasDerivedDetails === 1,
      groups: (byJob.get(id) ?? []).map(({ summary }) => decodeValue(summary)),
    };
  });
}

export async function readTrialsVersions(store: IndexStore, jobRowId: number | null) {
  const jobs = store.db.selectFrom("jobs").select(["id", "trialsVersion"]);
  const rows = await jobs.where(isOfJobs(store, "id", jobRowId)).execute();
  return new Map(rows.map(({ id, trialsVersion }) => [id, trialsVersion]));
}

/** Finds the job of a URL key. Also accepts a name that only one job has, and the key the job would have next to a namesake. */
export async function readHead(store: IndexStore, asked: string): Promise<JobHead | null> {
  const key = toColumnText(asked);
  const id =
    (await findSole(store, (query) => query.where("key", "=", key))) ??
    (await findSole(store, (query) => query.where("name", "=", key))) ??
    // Not `like`, which is case-sensitive on one engine only.
    (await findSole(store, (query) =>
      query.where(sql<SqlBool>`replace(aliases, ${`\n${key}\n`}, '') <> aliases`),
    ));
  return id === null ? null : ((await readHeads(store, [id]))[0] ?? null);
}

type JobIds = SelectQueryBuilder<IndexTables, "jobs", { id: number }>;

async function findSole({ db }: IndexStore, narrow: (query: JobIds) => JobIds): Promise<number | null> {
  const [first, second] = await narrow(db.selectFrom("jobs").select("id")).limit(2).execute();
  return first === undefined || second !== undefined ? null : first.id;
}

export async function readHasCopies({ db }: IndexStore): Promise<boolean> {
  return (await db.selectFrom("copies").select("jobRowId").limit(1).executeTakeFirst()) !== undefined;
}

export async function readIsCounted(store: IndexStore, jobKey: string): Promise<boolean> {
  const job = await readHead(store, jobKey);
  if (job === null) return false;
  const shared = store.db
    .selectFrom("copies")
    .select("position")
    .where("jobRowId", "=", job.rowId)
    .where("position", ">=", 0);
  return (await shared.limit(1).executeTakeFirst()) === undefined;
}

export async function readUncountedJobs({ db }: IndexStore): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom("copies").selectAll().execute();
  return listUncountedJobs(rows.map(({ jobRowId, ...row }) => ({ ...row, jobId: jobRowId })));
}

export interface JobCopy {
  readonly key: string;
  readonly place: string;
  readonly isCounted: boolean;
  /** Trials that only one of this copy and the counted one has, or whose results differ. */
  readonly nDifferent: number;
}

export async function readJobCopies(store: IndexStore, jobRowId: number): Promise<readonly JobCopy[]> {
  const rows = await readCopyRows(store);
  const own = new Set(rows.flatMap(({ id, family }) => (id === jobRowId ? family : [])));
  return describeCopies(store, rows, ({ family }) => own.has(family));
}

export async function readUncountedCopies(store: IndexStore) {
  const rows = await readCopyRows(store);
  const uncounted = new Set(rows.flatMap(({ id, isFirst }) => (isFirst ? [] : id)));
  const shown = new Set([...uncounted].slice(0, MAX_COPIES));
  const copies = await describeCopies(store, rows, ({ id }) => shown.has(id));
  return { copies, total: uncounted.size };
}

type CopyPlace = Awaited<ReturnType<typeof readCopyRows>>[number];

async function readCopyRows(store: IndexStore) {
  const rows = await store.db
    .selectFrom("copies")
    .innerJoin("jobs", "jobs.id", "copies.jobRowId")
    .innerJoin("sources", "sources.id", "jobs.sourceId")
    .innerJoin("roots", "roots.position", "sources.root")
    .select(["jobs.id", "jobs.key", "roots.label", "sources.folder", "copies.family"])
    .where("copies.position", "=", WHOLE_JOB)
    .orderBy(inOrder("copies.family", "copies.rank"))
    .execute();
  const families = [...Map.groupBy(rows, ({ family }) => family).values()].filter(({ length }) => length > 1);
  return families.flatMap((own) =>
    own.map((row, at) => ({ ...row, first: own[0]?.id ?? row.id, isFirst: at === 0 })),
  );
}

async function describeCopies(
  store: IndexStore,
  rows: readonly CopyPlace[],
  isWanted: (row: CopyPlace) => boolean,
): Promise<readonly JobCopy[]> {
  const uncounted = new Set(rows.flatMap(({ id, isFirst }) => (isFirst ? [] : id)));
  const byJob = Map.groupBy(rows.filter(isWanted), ({ id }) => id);
  const copies = await Promise.all(
    Array.from(byJob.values(), async ([row]) => {
      if (row === undefined) return [];
      const { id, key, label, folder } = row;
      const counted = rows.find((one) => one.id === id && !uncounted.has(one.first))?.first ?? id;
      return {
        ...{ key, place: [label, folder].filter((part) => part !== "").join("/") },
        isCounted: !uncounted.has(id),
        nDifferent: await countDifferent(store, counted, id),
      };
    }),
  );
  return copies.flat().toSorted((a, b) => Number(b.isCounted) - Number(a.isCounted));
}

const MAX_COPIES = 200;

/** Counts trials that only one of two jobs has, or whose results differ. */
async function countDifferent({ db }: IndexStore, counted: number, copy: number): Promise<number> {
  if (counted === copy) return 0;
  const once = sql`select "trialName" from trials where "jobRowId" in (${counted}, ${copy})
    group by "trialName", coalesce("resultDigest", '') having count(*) = 1`;
  const statement = sql<{ n: number }>`select count(distinct "trialName") as n from (${once}) as once`;
  return (await statement.execute(db)).rows[0]?.n ?? 0;
}

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
