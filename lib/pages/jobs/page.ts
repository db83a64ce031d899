import "server-only";
import { nameDataset } from "@/lib/core/domain/dataset";
import { rangeOfPage } from "@/lib/core/domain/list-page";
import { boundName } from "@/lib/core/domain/text-bounder";
import { formatDay } from "@/lib/core/format/time";
import { groupRef } from "@/lib/pages/address/href";
import { findStart } from "@/lib/pages/address/values";
import { datasetHref } from "@/lib/pages/datasets/address";
import { JOBS_FACETS, type JobsFacet, type JobsParams } from "@/lib/pages/jobs/address";
import { type AnnotationStore, getAnnotationStore } from "@/lib/people/annotations";
import type { ViewStore } from "@/lib/people/views";
import type { IndexStatus } from "@/lib/store/indexer";
import {
  countReportJobs,
  type FacetName,
  type FacetValue,
  type FacetValues,
  type IndexStore,
  type IndexTotals,
  type JobGrouping,
  type JobHead,
  NO_DATASET,
  readCatalogFacets,
  readJobs,
  readTotals,
  readWeek,
} from "@/lib/store/tables";

import { countReviews, getJudgedOrNull, type Judged } from "../annotations/judged";
import { listSavedSets } from "../run-sets/saved";
import { readSetRows } from "../run-sets/set-rows";
import { type IdentityOf, getCached, getIdentityOf, getIndex } from "../shell/catalog";

/** A job has one row per group, often two to four. */
export const JOBS_PAGE_SIZE = 25;

/** A job without groups is still listed. */
export type JobsItem = ReturnType<typeof toItem>;
export type JobsRow = JobsItem["groups"][number];

export type JobsPage = Awaited<ReturnType<typeof readJobsPage>>;

const FACET_NAMES: Readonly<Record<JobsFacet, FacetName>> = {
  agents: "job-agent",
  models: "job-model",
  datasets: "job-dataset",
  states: "job-state",
  checks: "job-check",
};

/** Parts that depend only on the index are cached by the caller. */
interface JobsPageSources {
  readonly store: IndexStore;
  readonly annotations: AnnotationStore;
  readonly status: IndexStatus;
  readonly totals: IndexTotals;
  readonly facets: FacetValues;
  readonly identityOf: IdentityOf;
  readonly views?: ViewStore;
}

export async function getJobsPage(filter: JobsParams) {
  const { store, status } = await getIndex();
  const [totals, facets, identityOf] = await Promise.all([
    getCached("totals", readTotals),
    getCached("catalog-facets", readCatalogFacets),
    getIdentityOf(),
  ]);
  const annotations = getAnnotationStore();
  return readJobsPage(filter, { store, annotations, status: status(), totals, facets, identityOf });
}

export async function readJobsPage(filter: JobsParams, sources: JobsPageSources) {
  const { store, status, totals, facets } = sources;
  const nReports = await countReportJobs(store);
  const { selection, sort } = prepareJobsQuery(filter);
  const grouping = readGrouping(filter);
  const range = rangeOfPage(filter.page, JOBS_PAGE_SIZE);
  const { rows, sections, sectionOf, ...page } = await readJobs(
    store,
    selection,
    { ...sort, grouping },
    range,
  );
  const [items, saved] = await Promise.all([
    prepareItems(rows, filter, sources),
    listSavedSets(store, sources.views),
  ]);
  const refs = new Set(
    items.flatMap(({ job, groups }) => groups.map(({ group }) => groupRef(job.key, group.key))),
  );
  return {
    ...page,
    items: items.map((item) => {
      const section = sectionOf.get(item.job.rowId);
      return { ...item, section: section === undefined ? null : boundName(section) };
    }),
    sections: sections.map((sums) => {
      // A folder's path may be longer than a page can show.
      const name = boundName(sums.name);
      return { ...sums, name, ...nameSection(name, grouping) };
    }),
    sets: await readSetRows(sources, saved.sets, refs, sources.identityOf, sources.views),
    setsProblem: saved.problem,
    /** Jobs of the shown kind in all opened folders, regardless of other filters. */
    nJobs: filter.isReports ? nReports : totals.nJobs - nReports,
    /** Jobs that only report on other trials or tasks. They are listed separately. */
    nReports,
    facets: Object.fromEntries(
      JOBS_FACETS.map((facet) => [facet, facets.get(FACET_NAMES[facet]) ?? []]),
    ) as Readonly<Record<JobsFacet, readonly FacetValue[]>>, // All of them.
    status,
  };
}

function nameSection(name: string, grouping: JobGrouping | null) {
  if (grouping === "week") {
    const weekMs = readWeek(name);
    return { label: weekMs === null ? "No time" : `Week of ${formatDay(weekMs)}`, href: null };
  }
  if (grouping === "folder") return { label: name.replace(/\/$/u, ""), href: null };
  if (name === NO_DATASET) return { label: "No benchmark", href: null };
  return { label: name, href: datasetHref(nameDataset({ source: name, tasks: [] }).id) };
}

export function readGrouping({ grouping }: JobsParams): JobGrouping | null {
  return grouping === "none" ? null : grouping;
}

export function prepareJobsQuery(filter: JobsParams) {
  const facets = Object.fromEntries(JOBS_FACETS.map((facet) => [FACET_NAMES[facet], filter[facet]]));
  return {
    selection: {
      text: filter.text,
      isReports: filter.isReports,
      sinceMs: filter.since === null ? null : findStart(filter.since, Date.now()),
      facets,
    },
    sort: { by: filter.sort, descending: filter.descending },
  };
}

export async function prepareItems(
  jobs: readonly JobHead[],
  filter: JobsParams,
  { store, annotations, identityOf }: Pick<JobsPageSources, "store" | "annotations" | "identityOf">,
) {
  const judged = await getJudgedOrNull(store, annotations);
  return jobs.map((job) => toItem(job, filter, identityOf, judged));
}

function toItem(
  job: JobHead,
  filter: JobsParams,
  identityOf: JobsPageSources["identityOf"],
  judged: Judged | null,
) {
  const fits = (wanted: readonly string[], value: string) => wanted.length === 0 || wanted.includes(value);
  const trials = [...(judged?.byJob.get(job.rowId)?.values() ?? [])];
  const groups = job.groups
    .filter(({ group }) => fits(filter.agents, group.agent) && fits(filter.models, group.model ?? ""))
    .map((summary) => ({
      ...summary,
      identity: identityOf(summary.group.agent, summary.group.model),
      reviews: judged && countReviews(trials.filter(({ groupKey }) => groupKey === summary.group.key)),
    }));
  return { job, groups };
}
