import { type ExpressionBuilder, sql } from "kysely";

import type { ListPage, ListRange } from "@/lib/domain/list-page";

import { isAmong } from "./among";
import type { FacetName } from "./facet-names";
import type { JobHead } from "../schema/job-head";
import { contains, orderList, readListPage, type SortKey } from "./list-page";
import type { IndexStore } from "../open-store";
import { readHeads } from "./heads";
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

/** A column that jobs can be sorted by. */
export type JobSort = "when_ms" | "name_sort" | "n_trials" | "best_mean" | "cost_usd";

/** How jobs are sorted. */
export interface JobsOrder {
  readonly by: JobSort;
  readonly descending: boolean;
}

/** A page of jobs, and sums over all that fit. */
export interface JobsReading extends ListPage<JobHead> {
  readonly nTrials: number;
  /** Groups with a mismatch, and jobs with one outside their groups. */
  readonly nMismatched: number;
  /** Jobs of which some figures cannot be checked, since what they are made of is not here. */
  readonly nIncomplete: number;
}

/** One page of the jobs that fit. Ties come newest first, then by name. */
export async function readJobs(
  store: IndexStore,
  selection: JobSelection,
  sort: JobsOrder,
  range: ListRange,
): Promise<JobsReading> {
  const jobs = await selectJobs(store, selection);
  const page = await readListPage(jobs.select("id"), orderJobs(sort), range);
  const sums = await jobs
    .select((select) => [
      select.fn.coalesce(select.fn.sum<number>("n_trials"), sql<number>`0`).as("nTrials"),
      select.fn.coalesce(select.fn.sum<number>("n_mismatched"), sql<number>`0`).as("nMismatched"),
      sql<number>`count(case when verdict = 'incomplete' then 1 end)`.as("nIncomplete"),
    ])
    .executeTakeFirstOrThrow();
  const rows = await readHeads(
    store,
    page.rows.map(({ id }) => id),
  );
  return { ...page, rows, ...sums };
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
    { column: "when_ms", descending: true },
    { column: "name_sort", descending: false },
    { column: "id", descending: false },
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
      contains("jobs.key_search", text),
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
  return Object.entries(facets).flatMap(([facet, values]) =>
    values.length === 0
      ? []
      : where(
          "jobs.id",
          "in",
          where
            .selectFrom("facets")
            .select("facets.job_id")
            .where("facets.facet", "=", facet)
            .where(isAmong(store, "facets.value", values)),
        ),
  );
}

/** Ids of the jobs in which a task or trial has the text in its name: asked once, since it looks at every name. */
async function readJobsByText({ db }: IndexStore, text: string): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("job_texts")
    .select("job_texts.job_id")
    .where(contains("job_texts.search", text))
    .execute();
  return rows.map((row) => row.job_id);
}

/** How many jobs only write reports about other trials or tasks. */
export async function countReportJobs({ db }: IndexStore): Promise<number> {
  const { n } = await db
    .selectFrom("jobs")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("purpose", "!=", "benchmark")
    .executeTakeFirstOrThrow();
  return n;
}

/** Sums over the whole index, for the frame around every page. */
export interface IndexTotals {
  readonly nJobs: number;
  readonly nTrials: number;
  readonly nExceptions: number;
  readonly nProblems: number;
  readonly nNotes: number;
}

/** Counts over everything that is open. */
export async function readTotals({ db }: IndexStore): Promise<IndexTotals> {
  const jobs = await db
    .selectFrom("jobs")
    .select((select) => [
      select.fn.countAll<number>().as("nJobs"),
      select.fn.coalesce(select.fn.sum<number>("n_trials"), sql<number>`0`).as("nTrials"),
      select.fn.coalesce(select.fn.sum<number>("n_exceptions"), sql<number>`0`).as("nExceptions"),
    ])
    .executeTakeFirstOrThrow();
  const issues = await db
    .selectFrom("issues")
    .select((select) => [
      select.fn.coalesce(select.fn.sum<number>("is_problem"), sql<number>`0`).as("nProblems"),
      select.fn.countAll<number>().as("nIssues"),
    ])
    .executeTakeFirstOrThrow();
  const { nProblems, nIssues } = issues;
  return { ...jobs, nProblems, nNotes: nIssues - nProblems };
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
    .leftJoin("jobs", "jobs.source_id", "sources.id")
    .select((select) => [
      "roots.label",
      "roots.path",
      select.fn.count<number>("jobs.id").as("nJobs"),
      select.fn.coalesce(select.fn.sum<number>("jobs.n_trials"), sql<number>`0`).as("nTrials"),
    ])
    .groupBy(["roots.position", "roots.label", "roots.path"])
    .orderBy("roots.position")
    .execute();
}

/** An agent and model, of a group. */
export interface AgentModelRow {
  readonly agent: string;
  readonly model: string | null;
}

/** Every agent and model, in the order of the oldest job that has it. */
export async function readAgentModels({ db }: IndexStore): Promise<readonly AgentModelRow[]> {
  const rows = await db
    .selectFrom("groups")
    .innerJoin("jobs", "jobs.id", "groups.job_id")
    .select(["groups.agent", "groups.model"])
    .orderBy(sql`jobs.when_ms asc nulls first`)
    .orderBy("jobs.name_sort", "desc")
    .orderBy("jobs.id", "desc")
    .orderBy("groups.position")
    .execute();
  const first = new Map(rows.map((row) => [JSON.stringify([row.agent, row.model]), row] as const));
  const order = new Set(rows.map((row) => JSON.stringify([row.agent, row.model])));
  return [...order].flatMap((name) => first.get(name) ?? []);
}
