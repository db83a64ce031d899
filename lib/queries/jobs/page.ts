import "server-only";

import { type AnnotationStore, getAnnotationStore } from "@/lib/annotations";
import { groupRef } from "@/lib/addresses/href";
import { JOBS_FACETS, type JobsFacet, type JobsParams } from "@/lib/addresses/jobs";
import { type PagePlace, rangeOfPage } from "@/lib/domain/list-page";
import type { IndexStatus } from "@/lib/indexer";
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
} from "@/lib/store";
import type { ViewStore } from "@/lib/views";

import { getCached, getIdentityOf, getIndex } from "../shell/catalog";
import { listSavedSets } from "../run-sets/saved";
import { readSetRows, type SetRow } from "../run-sets/set-rows";
import { countReviews, getJudgedOrNull, type Judged, type ReviewCounts } from "../annotations/judged";

/** Jobs on one page of the list. A job has a row for each of its groups, often two to four. */
export const JOBS_PAGE_SIZE = 25;

/** One evals group of the list. */
export interface JobsRow extends GroupSummary {
  readonly identity: number;
  /** What reviewers said about its trials; null when the annotations cannot be read. */
  readonly reviews: ReviewCounts | null;
}

/** One job of the list with its groups; a job without groups has none and still shows. */
export interface JobsItem {
  readonly job: JobHead;
  readonly groups: readonly JobsRow[];
}

/** The jobs page: the jobs of one page, how many there are around it, and what there is to filter by. */
export interface JobsPage extends PagePlace {
  readonly items: readonly JobsItem[];
  /** Jobs of all opened folders of the shown kind, whatever the other filters. */
  readonly nJobs: number;
  /** Jobs that only write reports about other trials or tasks; they are listed separately. */
  readonly nReports: number;
  /** Trials of all jobs that match. */
  readonly nTrials: number;
  /** Figures of all jobs that match that differ from what was recorded. */
  readonly nMismatched: number;
  /** Jobs with figures that cannot be checked, since what they are made of is not here. */
  readonly nIncomplete: number;
  /** Jobs of a Harbor newer than Assay knows with figures that differ. */
  readonly nUnknown: number;
  readonly facets: Readonly<Record<JobsFacet, readonly FacetValue[]>>;
  readonly status: IndexStatus;
  /** Saved run sets that have a run on the page. */
  readonly sets: readonly SetRow[];
  /** What of the saved run sets cannot be read; null when everything can. */
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

/** What the page needs besides the filter: parts that depend on the index alone, kept by whoever asks. */
export interface JobsPageSources {
  readonly store: IndexStore;
  readonly annotations: AnnotationStore;
  readonly status: IndexStatus;
  readonly totals: IndexTotals;
  readonly facets: FacetValues;
  readonly identityOf: (agent: string, model: string | null) => number;
  /** Where run sets are saved; by default where the environment says. */
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

/** {@link getJobsPage} of given sources. */
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

/** What the index is asked for a filter. */
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

/** Jobs as the list shows them, with what reviewers said of them. */
export async function prepareItems(
  jobs: readonly JobHead[],
  filter: JobsParams,
  { store, annotations, identityOf }: Pick<JobsPageSources, "store" | "annotations" | "identityOf">,
): Promise<readonly JobsItem[]> {
  const judged = await getJudgedOrNull(store, annotations);
  return jobs.map((job) => toItem(job, filter, identityOf, judged));
}

/** A job's groups, those of other agents or models left out when the filter names some. */
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
