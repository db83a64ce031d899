import { createHash } from "node:crypto";

import { type ExpressionBuilder, sql } from "kysely";

import type { ListRange } from "@/lib/domain/list-page";

import { readHeads } from "./heads";
import { contains, countRows, isAmong, orderList, readListPage, type SortKey } from "./query";
import type { IndexStore } from "../open-store";
import type { FacetName } from "../schema/stored-values";
import type { IndexTables } from "../schema/tables";

/** Which jobs. Empty lists and an empty text mean no filter. */
export interface JobSelection {
  /** Occurs in the job's names, its groups', those of its tasks and trials, or its exceptions. */
  readonly text: string;
  /** Jobs that write reports about others, or only those that do not. */
  readonly isReports: boolean;
  /** Values by facet: a job fits when it carries one of each. */
  readonly facets: Readonly<Partial<Record<FacetName, readonly string[]>>>;
}

export type JobSort = "whenMs" | "nameSort" | "nTrials" | "bestMean" | "costUsd";

export interface JobsOrder {
  readonly by: JobSort;
  readonly descending: boolean;
}

/** One page of the jobs that fit, and sums over all of them. Ties come newest first, then by name. */
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

/** A sum of a column of jobs; 0 without any. */
function sumOf<Name extends "nTrials" | "nMismatched">(
  { fn }: ExpressionBuilder<IndexTables, "jobs">,
  column: Name,
) {
  return fn.coalesce(fn.sum<number>(column), sql.lit(0)).as(column);
}

/** Ids of all jobs that fit, in the order of {@link readJobs}. */
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
    { column: by, descending },
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

/** Ids of the jobs in which a task or trial has the text in its name or label: asked once, since it looks at every name. */
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

/** How many jobs only write reports about other trials or tasks. */
export async function countReportJobs({ db }: IndexStore): Promise<number> {
  return countRows(db.selectFrom("jobs").where("purpose", "!=", "benchmark"));
}

/** Sums over the whole index, for the frame around every page. */
export interface IndexTotals {
  readonly nJobs: number;
  readonly nTrials: number;
  readonly nProblems: number;
  readonly nNotes: number;
}

/** Counts over everything that is open. */
export async function readTotals({ db }: IndexStore): Promise<IndexTotals> {
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

/** An opened folder with what lies below it. */
export interface RootCounts {
  readonly label: string;
  readonly path: string;
  readonly nJobs: number;
  readonly nTrials: number;
}

/** The opened folders in their order. */
export async function readRoots({ db }: IndexStore): Promise<readonly RootCounts[]> {
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

/** Every agent and model, in the order of the oldest job that has it. */
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

/** Keys and names of at most `limit` jobs, newest first. */
export async function readJobNames({ db }: IndexStore, limit: number) {
  return db
    .selectFrom("jobs")
    .select(["key", "name"])
    .orderBy((order) => order.fn.coalesce("whenMs", order.lit(0)), "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Short name of an opened folder; empty when there is no such folder. */
export async function readRootLabel({ db }: IndexStore, position: number): Promise<string> {
  const row = await db
    .selectFrom("roots")
    .select("label")
    .where("position", "=", position)
    .executeTakeFirst();
  return row?.label ?? "";
}

/**
 * A text for each job, by id in their order, that is another one once the job was read or renamed, or was to be classified, or all of
 * its trials were; it stays while some of these are, while texts are read and scanners run. Linear in the jobs.
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
