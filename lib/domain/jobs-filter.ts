import type { PagePlace } from "./page-place";

/** Columns the jobs list can be sorted by. */
export const JOBS_SORTS = ["finished", "job", "trials", "mean", "cost"] as const;

/** The facets of the jobs list. */
export const JOBS_FACETS = ["agents", "models", "datasets", "states", "seals"] as const;

/** One of {@link JOBS_FACETS}. */
export type JobsFacet = (typeof JOBS_FACETS)[number];

/** Jobs on one page of the list. A job has a row for each of its groups, often two to four. */
export const JOBS_PAGE_SIZE = 25;

/** What the jobs list is asked to show. Empty lists and an empty text mean no filter. */
export interface JobsFilter extends Readonly<Record<JobsFacet, readonly string[]>> {
  readonly text: string;
  /** Jobs of `harbor analyze` and `harbor check`, instead of all others. */
  readonly isReports: boolean;
  readonly sort: (typeof JOBS_SORTS)[number];
  readonly descending: boolean;
  readonly place: PagePlace;
}
