import type { Route } from "next";
import { createParser } from "nuqs/server";

import type { ExportFormat } from "@/lib/domain/export-format";
import { listSearchValues, refuseUnknown } from "./address";
import { buildHref, jobHref } from "./href";
import { jobPageHref, type JobParams, listUnknownJobValues, parseJobParams, writeTrialsQuery } from "./job";
import { jobAddress } from "./job-address";

/** A page of a trial may have 1,500 links, each with its list: a filter that takes more than this is not carried along. */
const LONGEST_LIST = 300;

/** Values of an address that say how a list is drawn, and not what is in it. */
const DRAWING = { rewardKey: null, columns: null, isDivided: false } as const;

/**
 * The list of trials that a trial's page was opened from: the query of that list, with defaults left out. Null for the whole
 * list of its job in its own order, and for one whose filter is too long for the links of a page.
 */
export function writeTrialsList(params: Partial<JobParams>): string | null {
  if (writeTrialsQuery({ ...params, ...DRAWING }) === "") return null;
  const query = writeTrialsQuery(params);
  return query.length > LONGEST_LIST ? null : query;
}

/** What a list says; null when it says nothing that a list of trials knows, or something that it does not. */
export function readTrialsList(list: string): JobParams | null {
  if (list.length > LONGEST_LIST) return null;
  const search = { ...listSearchValues(`http://localhost/?${list}`), tab: "trials" };
  const isOfAllJobs = jobAddress.read(search).isOfAllJobs;
  const params = parseJobParams(search, isOfAllJobs);
  return listUnknownJobValues(search, isOfAllJobs).length > 0 || writeTrialsList(params) === null
    ? null
    : params;
}

/** In an address: a list as {@link writeTrialsList} writes it. */
export const trialsList = createParser({
  parse: (value) => {
    const params = readTrialsList(value);
    return params === null ? null : writeTrialsList(params);
  },
  serialize: String,
});

/** What the row of a trial is called in its list, for addresses that end with it. @param jobKey - null in a list of one job */
export function nameTrialRow(trialKey: string, jobKey: string | null): string {
  return jobKey === null ? `trial-${trialKey}` : `trial-${jobKey}/${trialKey}`;
}

/** The address of a list, at the page and row of a trial. @param jobKey - the trial's */
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

/** The address of a file with the trials of a list: every page, or every trial of the job when another tab of it is open. */
function trialsHref(path: string, params: JobParams): Route {
  const list = params.tab === "trials" ? params : {};
  const query = writeTrialsQuery({ ...list, columns: null, isOfAllJobs: false });
  return buildHref(query === "" ? path : `${path}?${query}`);
}

/** The address of the trials table as a file. @param jobKey - null for the trials of all jobs */
export function trialsFileHref(jobKey: string | null, params: JobParams, format: ExportFormat): Route {
  return trialsHref(jobKey === null ? `/trials.${format}` : `${jobHref(jobKey)}/trials.${format}`, params);
}

/** The address of the evaluations of the same trials of a job, a JSON line each. */
export function evaluationsFileHref(jobKey: string, params: JobParams): Route {
  return trialsHref(`${jobHref(jobKey)}/evaluations.jsonl`, params);
}

/**
 * What an address of evaluations or a trials file asks for.
 *
 * @param isOfAllJobs - whether it is that of the trials of all jobs
 * @throws ValidationError when the address has a value that nobody knows
 */
export function readTrialsRequest(url: string, isOfAllJobs = false): JobParams {
  const search = { ...listSearchValues(url), tab: "trials" };
  refuseUnknown(listUnknownJobValues(search, isOfAllJobs));
  return parseJobParams(search, isOfAllJobs);
}
