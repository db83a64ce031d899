import type { Route } from "next";
import { createParser } from "nuqs/server";

import type { DimensionFilter } from "@/lib/core/domain/dimension-filter";
import type { ExportFormat } from "@/lib/core/domain/export-format";
import { JUDGMENT_FILTERS, VERIFIER_FILTERS } from "@/lib/core/domain/job-filter";
import { FLIPS } from "@/lib/core/domain/lineage";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { TRIAL_COLUMNS, TRIAL_SORTS } from "@/lib/core/fields/trials.fields";
import { FAILURE_CLASSES } from "@/lib/core/triage/classes";

import {
  type AddressValues,
  createListAddress,
  listSearchValues,
  readFileSearch,
  type SearchValues,
} from "../address/address";
import { buildHref, jobHref } from "../address/href";
import {
  columns,
  direction,
  flag,
  name,
  names,
  number,
  oneOf,
  pageNumber,
  someOf,
  text,
  wholeFrom,
} from "../address/values";

/** Values of every tab of a job. A change of any other value starts at page 1 of its lists, and at their first part. */
export const FRAME = {
  isDivided: flag("split"),
  groupsFrom: wholeFrom(0).withDefault(0),
  page: pageNumber,
};

export const FRAME_NAMES = { isDivided: "settings", groupsFrom: "groups_from" } as const;

/** Values that filter, order and draw a list of trials. Empty lists, empty texts and open ranges mean no filter. */
const LIST = {
  text,
  outcomes: someOf(OUTCOMES),
  exceptions: names,
  failureClasses: someOf(FAILURE_CLASSES),
  clusters: names,
  agents: names,
  isWithoutReference: flag("none"),
  evidence: text,
  /** Task digests. Trials without a recorded digest match too. */
  digests: names,
  jobs: names,
  runSets: names,
  groups: names,
  /** Names of datasets. Shorter than their groups, so that links to trials keep them. */
  datasets: names,
  tasks: names,
  scanners: names,
  judgments: someOf(JUDGMENT_FILTERS),
  tags: names,
  verifier: someOf(VERIFIER_FILTERS, { unsteady: "nondeterministic" }),
  flips: someOf(FLIPS),
  rewardKey: name,
  rewardMin: number,
  rewardMax: number,
  /** US dollars. */
  costMin: number,
  costMax: number,
  minutesMin: number,
  minutesMax: number,
  /** Trials that ended at or after this time, ms since 1970-01-01. */
  endedFrom: number,
  /** Path of a figure: only the trials behind it. */
  figure: name,
  family: name,
  /** Filters trials by their share of this dimension, see {@link readDimension}. */
  dimension: name,
  shareMin: number,
  shareMax: number,
  shareBelow: number,
  isShareMissing: flag("1"),
  sort: oneOf(TRIAL_SORTS),
  descending: direction,
  columns,
  isDivided: FRAME.isDivided,
  isOfAllJobs: flag("all"),
};

export const LIST_NAMES = {
  text: "q",
  outcomes: "outcome",
  exceptions: "exception",
  failureClasses: "class",
  clusters: "cluster",
  agents: "agent",
  isWithoutReference: "reference",
  digests: "digest",
  jobs: "job",
  runSets: "set",
  groups: "group",
  datasets: "dataset",
  tasks: "task",
  scanners: "scanner",
  judgments: "judgment",
  tags: "tag",
  flips: "flip",
  rewardKey: "key",
  rewardMin: "min",
  rewardMax: "max",
  costMin: "cost_min",
  costMax: "cost_max",
  minutesMin: "time_min",
  minutesMax: "time_max",
  endedFrom: "ended_from",
  dimension: "dim",
  shareMin: "dim_min",
  shareMax: "dim_max",
  shareBelow: "dim_below",
  isShareMissing: "dim_missing",
  descending: "dir",
  isDivided: FRAME_NAMES.isDivided,
  isOfAllJobs: "jobs",
} as const;

const listAddress = createListAddress(LIST, LIST_NAMES, TRIAL_COLUMNS);

/** The tab of a job's trials, and the list of all jobs' trials. */
export const trialsAddress = createListAddress(
  {
    ...LIST,
    ...FRAME,
    /** Also searches the files of trials that the index covers only in part. */
    isInFull: flag("full"),
  },
  { ...LIST_NAMES, ...FRAME_NAMES, isInFull: "search" },
  TRIAL_COLUMNS,
);

export type TrialsParams = AddressValues<typeof trialsAddress> & { readonly tab: "trials" };

export const NO_DIMENSION = {
  dimension: null,
  family: null,
  shareMin: null,
  shareMax: null,
  shareBelow: null,
  isShareMissing: false,
} as const;

const OF_ONE_JOB = {
  tags: [],
  flips: [],
  figure: null,
  ...NO_DIMENSION,
  isDivided: false,
} as const satisfies Partial<TrialsParams>;

const OF_ALL_JOBS = { jobs: [], runSets: [] } as const satisfies Partial<TrialsParams>;

/** Invalid values become their defaults. @param isOfAllJobs - for the list of all jobs' trials */
export function parseTrialsParams(search: SearchValues, isOfAllJobs = false): TrialsParams {
  const others = isOfAllJobs ? OF_ONE_JOB : OF_ALL_JOBS;
  return { ...trialsAddress.read(search), ...others, tab: "trials", isOfAllJobs };
}

export function listUnknownTrialsValues(search: SearchValues, isOfAllJobs = false): readonly string[] {
  const read: Readonly<Record<string, unknown>> = trialsAddress.read(search);
  const written: Readonly<Record<string, string>> = LIST_NAMES;
  const elsewhere = Object.entries(isOfAllJobs ? OF_ONE_JOB : OF_ALL_JOBS).flatMap(([value, none]) =>
    JSON.stringify(read[value]) === JSON.stringify(none) ? [] : [written[value] ?? value],
  );
  // A job's other tabs have more values. The list of all jobs has no tabs.
  const others = isOfAllJobs ? Object.keys(search).filter((name) => !trialsAddress.names.includes(name)) : [];
  return [...trialsAddress.listUnknown(search), ...elsewhere, ...others];
}

export function readDimension(params: TrialsParams): DimensionFilter | null {
  if (params.dimension === null) return null;
  const isMissing = params.isShareMissing;
  return {
    name: params.dimension,
    family: params.family,
    min: isMissing ? null : params.shareMin,
    max: isMissing ? null : params.shareMax,
    below: isMissing ? null : params.shareBelow,
    isMissing,
  };
}

/** A change of anything but the page starts at page 1. @param jobKey - null for the list of all jobs' trials */
export function trialsPageHref(
  jobKey: string | null,
  params: Partial<TrialsParams>,
  change: Partial<TrialsParams> = {},
): Route {
  return trialsAddress.href(
    jobKey === null ? "/trials" : jobHref(jobKey),
    { ...params, page: 1, ...change, isOfAllJobs: false },
    jobKey === null ? {} : { tab: "trials" },
  );
}

export function writeTrialsQuery(params: Partial<TrialsParams>): string {
  return listAddress.href("", params).slice(1);
}

/** A trial's page may have 1,500 links, each with its list, so that a longer filter is dropped. */
const LONGEST_LIST = 300;

const DRAWING = { rewardKey: null, columns: null, isDivided: false } as const;

/**
 * Returns the query of the list that a trial's page was opened from, without defaults. Null for the whole list of its job in its
 * own order, and if the filter is too long for links.
 */
export function writeTrialsList(params: Partial<TrialsParams>): string | null {
  if (writeTrialsQuery({ ...params, ...DRAWING }) === "") return null;
  const query = writeTrialsQuery(params);
  return query.length > LONGEST_LIST ? null : query;
}

/** Returns null without a known value, and with an unknown one. */
export function readTrialsList(list: string): TrialsParams | null {
  if (list.length > LONGEST_LIST) return null;
  const search = listSearchValues(`http://localhost/?${list}`);
  const { isOfAllJobs } = trialsAddress.read(search);
  const params = parseTrialsParams(search, isOfAllJobs);
  return listUnknownTrialsValues(search, isOfAllJobs).length > 0 || writeTrialsList(params) === null
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
  list: TrialsParams,
  page: number,
  trialKey: string | null,
): Route {
  const { isOfAllJobs } = list;
  const href = trialsPageHref(isOfAllJobs ? null : jobKey, list, { page });
  if (trialKey === null) return href;
  const row = nameTrialRow(trialKey, isOfAllJobs ? jobKey : null);
  return `${href}#${encodeURIComponent(row)}` as Route; // A part of that page.
}

function fileHref(path: string, params: Partial<TrialsParams>): Route {
  const query = writeTrialsQuery({ ...params, columns: null, isOfAllJobs: false });
  return buildHref(query === "" ? path : `${path}?${query}`);
}

/** A file of every page of the list. */
export function trialsFileHref(
  jobKey: string | null,
  params: Partial<TrialsParams>,
  format: ExportFormat,
): Route {
  return fileHref(jobKey === null ? `/trials.${format}` : `${jobHref(jobKey)}/trials.${format}`, params);
}

export function evaluationsFileHref(jobKey: string, params: TrialsParams): Route {
  return fileHref(`${jobHref(jobKey)}/evaluations.jsonl`, params);
}

/** @param isOfAllJobs - for the list of all jobs' trials @throws as {@link readFileSearch} */
export function readTrialsRequest(
  url: string,
  isOfAllJobs = false,
  others: readonly string[] = [],
): TrialsParams {
  const { names } = trialsAddress;
  const listUnknown = (search: SearchValues) => listUnknownTrialsValues(search, isOfAllJobs);
  return parseTrialsParams(readFileSearch(url, { names, listUnknown }, others), isOfAllJobs);
}
