import type { Route } from "next";
import { z } from "zod";

import type { ExportFormat } from "@/lib/domain/export-format";
import { JOBS_FACETS, JOBS_SORTS, type JobsFacet, type JobsFilter } from "@/lib/domain/jobs-filter";
import { FIRST_PAGE } from "@/lib/domain/page-place";
import { buildHref, type Query } from "./href";
import { lastParam, listParam, oneOf, type SearchValues, someOf, textParam } from "./params";
import { formatPlace, parsePlace } from "./place";

export { PLACE_PARAMS } from "./place";

/** Columns of the jobs list that can be hidden. */
export const JOBS_COLUMNS = [
  "trials",
  "interval",
  "seal",
  "partial",
  "timeout",
  "open",
  "judged",
  "cost",
] as const;

/** One of {@link JOBS_COLUMNS}. */
export type JobsColumn = (typeof JOBS_COLUMNS)[number];

/** What the address of the jobs list says. */
export interface JobsParams extends JobsFilter {
  readonly hidden: readonly JobsColumn[];
}

/** Names in the address, which are shorter than those in the code. */
const FACET_PARAMS = {
  agents: "agent",
  models: "model",
  datasets: "dataset",
  states: "status",
  seals: "seal",
} as const satisfies Record<JobsFacet, string>;

const schema = z.object({
  q: textParam,
  show: lastParam.transform((value) => value === "reports"),
  agent: listParam,
  model: listParam,
  dataset: listParam,
  status: listParam,
  seal: listParam,
  sort: oneOf(JOBS_SORTS, "finished"),
  dir: lastParam,
  hide: someOf(JOBS_COLUMNS),
});

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseJobsParams(search: SearchValues): JobsParams {
  const params = schema.parse(search);
  return {
    text: params.q,
    isReports: params.show,
    agents: params.agent,
    models: params.model,
    datasets: params.dataset,
    states: params.status,
    seals: params.seal,
    sort: params.sort,
    descending: params.dir === undefined ? params.sort !== "job" : params.dir !== "asc",
    place: parsePlace(search),
    hidden: params.hide,
  };
}

/** The address of the jobs list with some values changed, at its first page unless a place is given; no defaults. */
export function jobsHref(params: JobsParams, change: Partial<JobsParams> = {}): Route {
  return buildHref("/", buildJobsQuery({ ...params, place: FIRST_PAGE, ...change }));
}

/** The address of the jobs list as a file: the same filters and order, every page. */
export function jobsFileHref(params: JobsParams, format: ExportFormat): Route {
  return buildHref(`/jobs.${format}`, buildJobsQuery({ ...params, place: FIRST_PAGE, hidden: [] }));
}

/** What an address of {@link jobsFileHref} asks for. */
export function readJobsRequest(url: string): JobsParams {
  const search = new URL(url).searchParams;
  return parseJobsParams(Object.fromEntries([...search.keys()].map((key) => [key, search.getAll(key)])));
}

function buildJobsQuery(next: JobsParams): Query {
  const isDefaultDirection = next.descending === (next.sort !== "job");
  return {
    q: next.text,
    show: next.isReports ? "reports" : undefined,
    ...Object.fromEntries(JOBS_FACETS.map((facet) => [FACET_PARAMS[facet], next[facet]])),
    sort: next.sort === "finished" ? undefined : next.sort,
    dir: isDefaultDirection ? undefined : next.descending ? "desc" : "asc",
    hide: next.hidden,
    ...formatPlace(next.place),
  };
}

/** The list with `value` added, or removed when it was in it. */
export function toggleValue<T extends string>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** How many filters are on, the text among them. */
export function countFilters(params: JobsParams): number {
  return JOBS_FACETS.filter((facet) => params[facet].length > 0).length + (params.text === "" ? 0 : 1);
}
