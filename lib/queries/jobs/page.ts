import "server-only";

import { type AnnotationStore, getAnnotationStore } from "@/lib/annotations";
import { JOBS_FACETS, type JobsFacet, type JobsParams } from "@/lib/addresses/jobs";
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
  type JobSort,
  type KeysetPage,
  readCatalogFacets,
  readJobs,
  readTotals,
} from "@/lib/store";

import { getForGeneration, getIdentityOf, getIndex } from "../shell/catalog";
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
  readonly entry: JobHead;
  readonly groups: readonly JobsRow[];
}

/** The jobs page: the jobs of one page, how many there are around it, and what there is to filter by. */
export interface JobsPage extends Omit<KeysetPage<JobHead>, "rows"> {
  readonly items: readonly JobsItem[];
  /** Jobs of all opened folders of the shown kind, whatever the other filters. */
  readonly nJobs: number;
  /** Jobs that only write reports about other trials or tasks; they are listed separately. */
  readonly nReports: number;
  /** Trials of all jobs that match. */
  readonly nTrials: number;
  /** Groups with a mismatch, and jobs with one outside their groups, among all jobs that match. */
  readonly nMismatched: number;
  /** Jobs with figures that cannot be checked, since what they are made of is not here. */
  readonly nIncomplete: number;
  readonly facets: Readonly<Record<JobsFacet, readonly FacetValue[]>>;
  readonly status: IndexStatus;
}

const SORT_COLUMNS: Readonly<Record<JobsParams["sort"], JobSort>> = {
  finished: "when_ms",
  job: "name_sort",
  trials: "n_trials",
  mean: "best_mean",
  cost: "cost_usd",
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
}

/** Everything the jobs page shows for a filter. */
export async function getJobsPage(filter: JobsParams): Promise<JobsPage> {
  const { store, status } = await getIndex();
  const [totals, facets, identityOf] = await Promise.all([
    getForGeneration("totals", readTotals),
    getForGeneration("catalog-facets", readCatalogFacets),
    getIdentityOf(),
  ]);
  const annotations = getAnnotationStore();
  return readJobsPage(filter, { store, annotations, status: status(), totals, facets, identityOf });
}

/** {@link getJobsPage} of given sources. */
export async function readJobsPage(filter: JobsParams, sources: JobsPageSources): Promise<JobsPage> {
  const { store, annotations, status, totals, facets, identityOf } = sources;
  const nReports = await countReportJobs(store);
  const { rows, ...page } = await readJobs(
    store,
    {
      text: filter.text,
      isReports: filter.isReports,
      facets: Object.fromEntries(JOBS_FACETS.map((facet) => [FACET_NAMES[facet], filter[facet]])),
    },
    { by: SORT_COLUMNS[filter.sort], descending: filter.descending },
    filter.place,
    JOBS_PAGE_SIZE,
  );
  const judged = await getJudgedOrNull(store, annotations);
  return {
    ...page,
    items: rows.map((entry) => toItem(entry, filter, identityOf, judged)),
    nJobs: filter.isReports ? nReports : totals.nJobs - nReports,
    nReports,
    facets: {
      agents: facets.get("job-agent") ?? [],
      models: facets.get("job-model") ?? [],
      datasets: facets.get("job-dataset") ?? [],
      states: facets.get("job-state") ?? [],
      checks: facets.get("job-check") ?? [],
    },
    status,
  };
}

/** A job's groups, those of other agents or models left out when the filter names some. */
function toItem(
  entry: JobHead,
  filter: JobsParams,
  identityOf: JobsPageSources["identityOf"],
  judged: Judged | null,
): JobsItem {
  const fits = (wanted: readonly string[], value: string) => wanted.length === 0 || wanted.includes(value);
  const trials = [...(judged?.byJob.get(entry.id)?.values() ?? [])];
  const groups = entry.groups
    .filter(({ group }) => fits(filter.agents, group.agent) && fits(filter.models, group.model ?? ""))
    .map((summary) => ({
      ...summary,
      identity: identityOf(summary.group.agent, summary.group.model),
      reviews: judged && countReviews(trials.filter(({ groupKey }) => groupKey === summary.group.key)),
    }));
  return { entry, groups };
}
