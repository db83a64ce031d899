import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

import type { ListRange } from "@/lib/core/domain/list-page";

import type { IndexStore } from "../open-store";
import type { IndexTables } from "../schema/tables";
import { readListPage, type SortKey } from "./query";

/** Divides a list by benchmark, by the week in which a job ended, or by the folder that holds the job. */
export type JobGrouping = "benchmark" | "week" | "folder";

/** Dataset of jobs that record none. */
export const NO_DATASET = "adhoc";

const WEEK_DAYS = 7;
/** Days from a Monday to the first day of 1970. */
const DAYS_AFTER_MONDAY = 3;
const DAY_MS = 86_400_000;

/** Returns the Monday that begins a week, in UTC and milliseconds since 1970; null for jobs without a time. */
export function readWeek(section: string): number | null {
  return section === "" ? null : (Number(section) * WEEK_DAYS - DAYS_AFTER_MONDAY) * DAY_MS;
}

/** Texts, empty if unknown. A job of several datasets belongs to the first by name. */
const SECTIONS: Readonly<Record<JobGrouping, RawBuilder<string>>> = {
  benchmark: sql`coalesce((select min(facets.value) from facets
    where facets.facet = 'job-dataset' and facets."jobRowId" = jobs.id), ${sql.lit(NO_DATASET)})`,
  week: sql`coalesce(cast(cast(floor((jobs."whenMs" / ${sql.lit(DAY_MS)} + ${sql.lit(DAYS_AFTER_MONDAY)})
    / ${sql.lit(WEEK_DAYS)}) as integer) as text), '')`,
  // Trims all characters but slashes from the end, which is the job's own folder.
  folder: sql`(select roots.label || '/' || rtrim(sources.folder, replace(sources.folder, '/', '')) from sources
    inner join roots on roots.position = sources.root where sources.id = jobs."sourceId")`,
};

type SelectedJobs = SelectQueryBuilder<IndexTables, "jobs", object>;

/** Returns the selected jobs with their sections, and the order of their list. */
export function divideJobs(
  { db }: IndexStore,
  jobs: SelectedJobs,
  grouping: JobGrouping,
  order: readonly SortKey[],
) {
  const divided = db.selectFrom(
    jobs
      .select(["id", "nameSort", "nTrials", "bestMean", "costUsd", "whenMs"])
      .select(SECTIONS[grouping].as("section"))
      .as("jobs"),
  );
  const newest = sql<number | null>`max(case when section <> ${NO_DATASET} then "whenMs" end)
    over (partition by section)`;
  return {
    divided,
    list: divided.select(["id", "section", newest.as("sectionMs")]),
    order: [{ column: "sectionMs", descending: true }, { column: "section" }, ...order],
  };
}

/** Reads the ids of a page, and its sections with sums over all selected jobs of each. */
export async function readSections(
  store: IndexStore,
  jobs: SelectedJobs,
  grouping: JobGrouping,
  sort: readonly SortKey[],
  range: ListRange,
) {
  const { divided, list, order } = divideJobs(store, jobs, grouping, sort);
  const page = await readListPage(list, order, range);
  const names = [...new Set(page.rows.map(({ section }) => section))];
  // No engine has an empty list of values.
  const sections = await (names.length === 0 ? divided.limit(0) : divided.where("section", "in", names))
    .select((select) => [
      "section as name",
      select.fn.countAll<number>().as("nJobs"),
      select.fn.sum<number>("nTrials").as("nTrials"),
      select.fn.sum<number | null>("costUsd").as("costUsd"),
    ])
    .groupBy("section")
    .execute();
  return { ...page, sections, sectionOf: new Map(page.rows.map(({ id, section }) => [id, section])) };
}
