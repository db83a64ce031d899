import "server-only";
import { type PagePlace, rangeOfPage } from "@/lib/core/domain/list-page";
import { groupRef } from "@/lib/pages/address/href";
import { JOBS_FACETS, type JobsFacet, type JobsParams } from "@/lib/pages/jobs/address";
import { type AnnotationStore, getAnnotationStore } from "@/lib/people/annotations";
import type { ViewStore } from "@/lib/people/views";
import type { IndexStatus } from "@/lib/store/indexer";
import {
  countReportJobs,
  type FacetName,
  type FacetValue,
  type FacetValues,
  type GroupSummary,
  type IndexStore,
  type IndexTotals,
  type JobHead,
  type JobSelection,
  type JobsOrder,
  type JobSort,
  readCatalogFacets,
  readJobs,
  readTotals,
} from "@/lib/store/tables";

import { countReviews, getJudgedOrNull, type Judged, type ReviewCounts } from "../annotations/judged";
import { listSavedSets } from "../run-sets/saved";
import { readSetRows, type SetRow } from "../run-sets/set-rows";
import { getCached, getIdentityOf, getIndex } from "../shell/catalog";

/** A job has one row per group, often two to four. */
export const JOBS_PAGE_SIZE = 25;

export interface JobsRow extends GroupSummary {
  readonly identity: number;
  readonly reviews: ReviewCounts | null;
}

/** A job without groups is still listed. */
export interface JobsItem {
  readonly job: JobHead;
  readonly groups: readonly JobsRow[];
}

export interface JobsPage extends PagePlace {
  readonly items: readonly JobsItem[];
  /** Jobs of the shown kind in all opened folders, regardless of other filters. */
  readonly nJobs: number;
  /** Jobs that only report on other trials or tasks. They are listed separately. */
  readonly nReports: number;
  readonly nTrials: number;
  readonly nMismatched: number;
  /** Jobs with figures that cannot be checked, because their inputs are missing. */
  readonly nIncomplete: number;
  /** Jobs with differing figures from a Harbor newer than Assay knows. */
  readonly nUnknown: number;
  readonly facets: Readonly<Record<JobsFacet, readonly FacetValue[]>>;
  readonly status: IndexStatus;
  readonly sets: readonly SetRow[];
  readonly setsProblem: string | null;
}

const SORT_COLUMNS: Readonly<Record<JobsParams["sort"], JobSort>> = {
  finished: "whenMs",
  job: "nameSort",
  trials: "nTrials",
  mean: "bestMean",
  cost: "costUsd",
};

const FACET_NAMES: Readonly<Record<JobsFacet, FacetName>> = {
  agents: "job-agent",
  models: "job-model",
  datasets: "job-dataset",
  states: "job-state",
  checks: "job-check",
};

/** Parts that depend only on the index are cached by the caller. */
export interface JobsPageSources {
  readonly store: IndexStore;
  readonly annotations: AnnotationStore;
  readonly status: IndexStatus;
  readonly totals: IndexTotals;
  readonly facets: FacetValues;
  readonly identityOf: (agent: string, model: string | null) => number;
  readonly views?: ViewStore;
}

export async function getJobsPage(filter: JobsParams): Promise<JobsPage> {
  const { store, status } = await getIndex();
  const [totals, facets, identityOf] = await Promise.all([
    getCached("totals", readTotals),
    getCached("catalog-facets", readCatalogFacets),
    getIdentityOf(),
  ]);
  const annotations = getAnnotationStore();
  return readJobsPage(filter, { store, annotations, status: status(), totals, facets, identityOf });
}

export async function readJobsPage(filter: JobsParams, sources: JobsPageSources): Promise<JobsPage> {
  const { store, status, totals, facets } = sources;
  const nReports = await countReportJobs(store);
  const { selection, sort } = prepareJobsQuery(filter);
  const { rows, ...page } = await readJobs(store, selection, sort, rangeOfPage(filter.page, JOBS_PAGE_SIZE));
  const [items, saved] = await Promise.all([
    prepareItems(rows, filter, sources),
    listSavedSets(store, sources.views),
  ]);
  const refs = new Set(
    items.flatMap(({ job, groups }) => groups.map(({ group }) => groupRef(job.key, group.key))),
  );
  return {
    ...page,
    items,
    sets: await readSetRows(sources, saved.sets, refs, sources.identityOf, sources.views),
    setsProblem: saved.problem,
    nJobs: filter.isReports ? nReports : totals.nJobs - nReports,
    nReports,
    facets: Object.fromEntries(
      JOBS_FACETS.map((facet) => [facet, facets.get(FACET_NAMES[facet]) ?? []]),
    ) as JobsPage["facets"], // All of them.
    status,
  };
}

export function prepareJobsQuery(filter: JobsParams): {
  readonly selection: JobSelection;
  readonly sort: JobsOrder;
} {
  const facets = Object.fromEntries(JOBS_FACETS.map((facet) => [FACET_NAMES[facet], filter[facet]]));
  return {
    selection: { text: filter.text, isReports: filter.isReports, facets },
    sort: { by: SORT_COLUMNS[filter.sort], descending: filter.descending },
  };
}

export async function prepareItems(
  jobs: readonly JobHead[],
  filter: JobsParams,
  { store, annotations, identityOf }: Pick<JobsPageSources, "store" | "annotations" | "identityOf">,
): Promise<readonly JobsItem[]> {
  const judged = await getJudgedOrNull(store, annotations);
  return jobs.map((job) => toItem(job, filter, identityOf, judged));
}

function toItem(
  job: JobHead,
  filter: JobsParams,
  identityOf: JobsPageSources["identityOf"],
  judged: Judged | null,
): JobsItem {
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
