import type { Route } from "next";
import { createParser } from "nuqs/server";

import { jobPageHref, type JobParams, listUnknownJobValues, parseJobParams, writeTrialsQuery } from "./job";
import { listSearchValues } from "./address";

/** A page of a trial may have 1,500 links, each with its list: a filter that takes more than this is not carried along. */
const LONGEST_LIST = 300;

/** Values of an address that say how a list is drawn, and not what is in it. */
const DRAWING = { rewardKey: null, columns: null, isDivided: false } as const;

/**
 * The list of trials that a trial's page was opened from: the query of that list, with defaults left out. Null for the whole
 * list in its own order, and for one whose filter is too long for the links of a page.
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
  const params = parseJobParams(search);
  return listUnknownJobValues(search).length > 0 || writeTrialsList(params) === null ? null : params;
}

/** In an address: a list as {@link writeTrialsList} writes it. */
export const trialsList = createParser({
  parse: (value) => {
    const params = readTrialsList(value);
    return params === null ? null : writeTrialsList(params);
  },
  serialize: String,
});

/** What the row of a trial is called in its list, for addresses that end with it. */
export function nameTrialRow(trialKey: string): string {
  return `trial-${trialKey}`;
}

/** The address of a list, at the page and row of a trial. */
export function trialsListHref(
  jobKey: string,
  list: JobParams,
  page: number,
  trialKey: string | null,
): Route {
  const href = jobPageHref(jobKey, list, { page });
  return trialKey === null ? href : (`${href}#${encodeURIComponent(nameTrialRow(trialKey))}` as Route); // A part of that page.
}
