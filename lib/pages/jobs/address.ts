import type { Route } from "next";

import type { ExportFormat } from "@/lib/core/domain/export-format";
import type { ListColumn } from "@/lib/core/fields/field";
import { JOB_COLUMNS, JOB_SORTS } from "@/lib/core/fields/jobs.fields";

import {
  type AddressValues,
  createAddress,
  listSearchValues,
  refuseUnknown,
  type SearchValues,
} from "../address/address";
import { columns, direction, flag, name, names, oneOf, pageNumber, text } from "../address/values";

export const JOBS_FACETS = ["datasets", "agents", "models", "states", "checks"] as const;

export type JobsFacet = (typeof JOBS_FACETS)[number];

export const jobsAddress = createAddress(
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
    page: pageNumber,
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
    descending: "dir",
  },
);

export interface JobsParams extends AddressValues<typeof jobsAddress> {
  readonly descending: boolean;
}

function descends(sort: JobsParams["sort"] = JOB_SORTS[0]): boolean {
  const column: ListColumn = JOB_COLUMNS[sort];
  return column.ascends !== true;
}

/** Invalid values become their defaults. Saved addresses may still use `seal` for `check`. */
export function parseJobsParams(search: SearchValues): JobsParams {
  const { check = [], seal = [] } = search;
  const params = jobsAddress.read({ ...search, check: [check, seal].flat() });
  return { ...params, descending: params.descending ?? descends(params.sort) };
}

export function jobsHref(params: Partial<JobsParams>, change: Partial<JobsParams> = {}): Route {
  return hrefAt("/", { ...params, page: 1, ...change });
}

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

/** @throws ValidationError for an unknown value */
export function readJobsRequest(url: string): JobsParams {
  const search = listSearchValues(url);
  refuseUnknown(jobsAddress.listUnknown(search));
  return parseJobsParams(search);
}

function hrefAt(path: string, params: Partial<JobsParams>): Route {
  const descending = params.descending === descends(params.sort) ? null : params.descending;
  return jobsAddress.href(path, { ...params, descending });
}
