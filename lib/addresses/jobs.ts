import type { Route } from "next";

import type { ExportFormat } from "@/lib/domain/export-format";
import {
  type AddressValues,
  createAddress,
  listSearchValues,
  refuseUnknown,
  type SearchValues,
} from "./address";
import { columns, direction, flag, name, names, oneOf, pageNumber, text } from "./values";

/** Columns the jobs list can be sorted by. */
export const JOBS_SORTS = ["finished", "job", "trials", "mean", "cost"] as const;

export const JOBS_FACETS = ["datasets", "agents", "models", "states", "checks"] as const;

export type JobsFacet = (typeof JOBS_FACETS)[number];

/** The address of the jobs list. Empty lists and an empty text mean no filter. */
export const jobsAddress = createAddress(
  {
    text,
    /** Jobs of `harbor analyze` and `harbor check`, instead of all others. */
    isReports: flag("reports"),
    agents: names,
    models: names,
    datasets: names,
    states: names,
    checks: names,
    sort: oneOf(JOBS_SORTS),
    descending: direction,
    columns,
    page: pageNumber,
    /** References of groups that the page offers to count together, see `lib/addresses/compare.ts`; none closes that panel. */
    join: names,
    /** How names tell which groups are repeats, as `assay compare --pool` takes it; null for the numbers at their ends. */
    rule: name,
    /** Id of the run set that was saved or deleted last, which can be undone. */
    changed: name,
  },
  {
    text: "q",
    rule: "pool",
    isReports: "show",
    agents: "agent",
    models: "model",
    datasets: "dataset",
    states: "status",
    checks: "check",
    descending: "dir",
  },
);

export interface JobsParams extends AddressValues<typeof jobsAddress> {
  readonly descending: boolean;
}

/** Names ascend, amounts and times descend. */
function descends(sort: JobsParams["sort"] | undefined): boolean {
  return sort !== "job";
}

/** Reads the address; whatever it says wrongly falls back to the default. Saved addresses may still say `seal` for `check`. */
export function parseJobsParams(search: SearchValues): JobsParams {
  const { check = [], seal = [] } = search;
  const params = jobsAddress.read({ ...search, check: [check, seal].flat() });
  return { ...params, descending: params.descending ?? descends(params.sort) };
}

/** The address of the jobs list with some values changed, at its first page unless another is given. */
export function jobsHref(params: Partial<JobsParams>, change: Partial<JobsParams> = {}): Route {
  return hrefAt("/", { ...params, page: 1, ...change });
}

/** The address of the jobs list as a file: the same filters and order, every page. */
export function jobsFileHref(params: JobsParams, format: ExportFormat): Route {
  return hrefAt(`/jobs.${format}`, {
    ...params,
    page: 1,
    columns: null,
    join: [],
    rule: null,
    changed: null,
  });
}

/**
 * What an address of {@link jobsFileHref} asks for.
 * @throws ValidationError when the address has a value that nobody knows
 */
export function readJobsRequest(url: string): JobsParams {
  const search = listSearchValues(url);
  refuseUnknown(jobsAddress.listUnknown(search));
  return parseJobsParams(search);
}

function hrefAt(path: string, params: Partial<JobsParams>): Route {
  const descending = params.descending === descends(params.sort) ? null : params.descending;
  return jobsAddress.href(path, { ...params, descending });
}
