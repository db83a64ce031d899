import type { Route } from "next";
import { createParser } from "nuqs/server";

import type { ExportFormat } from "@/lib/core/domain/export-format";

import { listSearchValues, refuseUnknown } from "../address/address";
import { buildHref, jobHref } from "../address/href";
import {
  jobPageHref,
  type JobParams,
  listUnknownJobValues,
  parseJobParams,
  writeTrialsQuery,
} from "../job/address";
import { jobAddress } from "../job/job-address";

/** A trial's page may have 1,500 links, each with its list, so that a longer filter is dropped. */
const LONGEST_LIST = 300;

const DRAWING = { rewardKey: null, columns: null, isDivided: false } as const;

/**
 * Returns the query of the list that a trial's page was opened from, without defaults. Null for the whole list of its job in its
 * own order, and if the filter is too long for links.
 */
export function writeTrialsList(params: Partial<JobParams>): string | null {
  if (writeTrialsQuery({ ...params, ...DRAWING }) === "") return null;
  const query = writeTrialsQuery(params);
  return query.length > LONGEST_LIST ? null : query;
}

/** Returns null without a known value, and with an unknown one. */
export function readTrialsList(list: string): JobParams | null {
  if (list.length > LONGEST_LIST) return null;
  const search = { ...listSearchValues(`http://localhost/?${list}`), tab: "trials" };
  const isOfAllJobs = jobAddress.read(search).isOfAllJobs;
  const params = parseJobParams(search, isOfAllJobs);
  return listUnknownJobValues(search, isOfAllJobs).length > 0 || writeTrialsList(params) === null
    ? null
    : params;
}

export const trialsList = createParser({
  parse: (value) => {
    const params = readTrialsList(value);
    return params === null ? null : writeTrialsList(params);
  },
  serialize: String,
});

export function nameTrialRow(trialKey: string, jobKey: string | null): string {
  return jobKey === null ? `trial-${trialKey}` : `trial-${jobKey}/${trialKey}`;
}

export function trialsListHref(
  jobKey: string,
  list: JobParams,
  page: number,
  trialKey: string | null,
): Route {
  const { isOfAllJobs } = list;
  const href = jobPageHref(isOfAllJobs ? null : jobKey, list, { page });
  if (trialKey === null) return href;
  const row = nameTrialRow(trialKey, isOfAllJobs ? jobKey : null);
  return `${href}#${encodeURIComponent(row)}` as Route; // A part of that page.
}

/** Every page of the list, or every trial of the job if another tab is open. */
function trialsHref(path: string, params: JobParams): Route {
  const list = params.tab === "trials" ? params : {};
  const query = writeTrialsQuery({ ...list, columns: null, isOfAllJobs: false });
  return buildHref(query === "" ? path : `${path}?${query}`);
}

export function trialsFileHref(jobKey: string | null, params: JobParams, format: ExportFormat): Route {
  return trialsHref(jobKey === null ? `/trials.${format}` : `${jobHref(jobKey)}/trials.${format}`, params);
}

export function evaluationsFileHref(jobKey: string, params: JobParams): Route {
  return trialsHref(`${jobHref(jobKey)}/evaluations.jsonl`, params);
}

/** @param isOfAllJobs - for the list of all jobs' trials @throws ValidationError for an unknown value */
export function readTrialsRequest(url: string, isOfAllJobs = false): JobParams {
  const search = { ...listSearchValues(url), tab: "trials" };
  refuseUnknown(listUnknownJobValues(search, isOfAllJobs));
  return parseJobParams(search, isOfAllJobs);
}
