import { createHash } from "node:crypto";

import { type ExpressionBuilder, sql } from "kysely";

import type { ListRange } from "@/lib/core/domain/list-page";
import type { JobSort } from "@/lib/core/fields/jobs.fields";

import type { IndexStore } from "../open-store";
import type { FacetName } from "../schema/stored-values";
import type { IndexTables } from "../schema/tables";
import { readHeads } from "./heads";
import { contains, countRows, isAmong, orderList, readListPage, type SortKey } from "./query";

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
}

export async function readJobs(
  store: IndexStore,
  selection: JobSelection,
  sort: JobsOrder,
  range: ListRange,
) {
  const jobs = await selectJobs(store, selection);
  const page = await readListPage(jobs.select("id"), orderJobs(sort), range);
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

export async function listJobIds(
  store: IndexStore,
  selection: JobSelection,
  sort: JobsOrder,
): Promise<readonly number[]> {
  const jobs = (await selectJobs(store, selection)).select("id");
  return (await orderList(jobs, orderJobs(sort)).execute()).map(({ id }) => id);
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
  return createHash("sha256")
    .update(JSON.stringify([...states]))
    .digest("hex");
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
