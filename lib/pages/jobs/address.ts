import type { Route } from "next";

import type { ExportFormat } from "@/lib/core/domain/export-format";
import { JOB_COLUMNS, JOB_SORTS } from "@/lib/core/fields/jobs.fields";

import { type AddressValues, createListAddress, readFileSearch, type SearchValues } from "../address/address";
import { columns, direction, flag, name, names, oneOf, pageNumber, since, text } from "../address/values";

export const JOBS_FACETS = ["datasets", "agents", "models", "states", "checks"] as const;

export const JOB_GROUPINGS = ["benchmark", "week", "folder", "none"] as const;

export type JobsFacet = (typeof JOBS_FACETS)[number];

export const jobsAddress = createListAddress(
  {
    text,
    /** Lists jobs of `harbor analyze` and `harbor check`, instead of all others. */
    isReports: flag("reports"),
    agents: names,
    models: names,
    datasets: names,
    states: names,
    checks: names,
    sort: oneOf(JOB_SORTS),
    descending: direction,
    columns,
    grouping: oneOf(JOB_GROUPINGS),
    page: pageNumber,
    /** Finished since then: a time, or a span that ends now, such as `7d`. */
    since,
    /** Group references that the page offers to pool, see `lib/pages/compare/address.ts`; empty closes that panel. */
    join: names,
    /** Rule by which names identify repeats, as in `assay compare --pool`; null uses the numbers at their ends. */
    rule: name,
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
    grouping: "by",
    descending: "dir",
  },
  JOB_COLUMNS,
);

export type JobsParams = AddressValues<typeof jobsAddress>;

/** Invalid values become their defaults. Saved addresses may still use `seal` for `check`. */
export function parseJobsParams(search: SearchValues): JobsParams {
  const { check = [], seal = [] } = search;
  return jobsAddress.read({ ...search, check: [check, seal].flat() });
}

export function jobsHref(params: Partial<JobsParams>, change: Partial<JobsParams> = {}): Route {
  return jobsAddress.href("/", { ...params, page: 1, ...change });
}

export function jobsFileHref(params: JobsParams, format: ExportFormat): Route {
  return jobsAddress.href(`/jobs.${format}`, {
    ...params,
    page: 1,
    columns: null,
    join: [],
    rule: null,
    changed: null,
  });
}

/** @throws as {@link readFileSearch} */
export function readJobsRequest(url: string, others: readonly string[] = []): JobsParams {
  return parseJobsParams(readFileSearch(url, jobsAddress, others));
}
