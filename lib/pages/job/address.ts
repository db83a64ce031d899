import type { Route } from "next";

import type { DimensionFilter } from "@/lib/core/domain/dimension-filter";
import { type JobTab, TASK_SORTS } from "@/lib/core/domain/job-filter";
import { RUBRIC_SORTS } from "@/lib/core/domain/rubric";
import type { ListColumn } from "@/lib/core/fields/field";
import { TRIAL_COLUMNS, TRIAL_SORTS, type TrialSort } from "@/lib/core/fields/trials.fields";

import type { AddressValues, SearchValues } from "../address/address";
import { jobHref } from "../address/href";
import { readWeights, type Weights, writeWeights } from "../address/weights";
import { jobAddress, nameJobValue } from "./job-address";

export interface JobParams extends Omit<AddressValues<typeof jobAddress>, "sort"> {
  readonly taskSort: (typeof TASK_SORTS)[number];
  readonly trialSort: TrialSort;
  readonly rubricSort: (typeof RUBRIC_SORTS)[number];
  readonly descending: boolean;
  readonly weights: Weights;
}

const OF_ONE_JOB = {
  tags: [],
  flips: [],
  figure: null,
  family: null,
  dimension: null,
  shareMin: null,
  shareMax: null,
  shareBelow: null,
  isShareMissing: false,
  isDivided: false,
} as const satisfies Partial<JobParams>;

const SCOPED = ["jobs", "runSets", ...(Object.keys(OF_ONE_JOB) as (keyof typeof OF_ONE_JOB)[])] as const;

/** Invalid values become their defaults. @param isOfAllJobs - for the list of all jobs' trials, which has no tabs */
export function parseJobParams(search: SearchValues, isOfAllJobs = false): JobParams {
  const { sort, descending, ...read } = jobAddress.read(search);
  const params = isOfAllJobs
    ? { ...read, ...OF_ONE_JOB, tab: "trials" as const, isOfAllJobs }
    : { ...read, jobs: [], runSets: [], isOfAllJobs };
  const sorts = {
    taskSort: TASK_SORTS.find((one) => one === sort) ?? TASK_SORTS[0],
    trialSort: TRIAL_SORTS.find((one) => one === sort) ?? TRIAL_SORTS[0],
    rubricSort: RUBRIC_SORTS.find((one) => one === sort) ?? RUBRIC_SORTS[0],
  };
  return {
    ...params,
    ...sorts,
    descending: descending ?? descends(params.tab, selectSort({ ...params, ...sorts })),
    weights: readWeights(search),
  };
}

export function listUnknownJobValues(search: SearchValues, isOfAllJobs = false): readonly string[] {
  const { sort, ...read } = jobAddress.read(search);
  const known = parseJobParams(search, isOfAllJobs);
  const isOfOtherTab = sort !== null && sort !== selectSort(known);
  const elsewhere = SCOPED.filter((value) => JSON.stringify(read[value]) !== JSON.stringify(known[value]));
  return [
    ...jobAddress.listUnknown(search),
    ...(isOfOtherTab ? ["sort"] : []),
    ...elsewhere.map(nameJobValue),
  ];
}

function selectSort(params: Partial<JobParams>): JobParams["taskSort" | "trialSort" | "rubricSort"] {
  if (params.tab === "rubric") return params.rubricSort ?? RUBRIC_SORTS[0];
  return params.tab === "trials" ? (params.trialSort ?? TRIAL_SORTS[0]) : (params.taskSort ?? TASK_SORTS[0]);
}

function descends(tab: JobTab | undefined, sort: string): boolean {
  if (tab !== "trials") return sort !== "task";
  const columns: Readonly<Record<string, ListColumn>> = TRIAL_COLUMNS;
  return columns[sort]?.ascends !== true;
}

export function readDimension(params: JobParams): DimensionFilter | null {
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

export const NO_DIMENSION = {
  dimension: null,
  family: null,
  shareMin: null,
  shareMax: null,
  shareBelow: null,
  isShareMissing: false,
} as const;

/** A change of anything but the page starts at page 1. @param jobKey - null for the list of all jobs' trials */
export function jobPageHref(
  jobKey: string | null,
  params: Partial<JobParams>,
  change: Partial<JobParams> = {},
): Route {
  const values = { ...params, isOfAllJobs: false, page: 1, dimensionsFrom: 0, issuesFrom: 0, ...change };
  if (jobKey !== null) return hrefAt(jobHref(jobKey), values);
  return hrefAt("/trials", { ...values, tab: "trials" }, null);
}

/** Values that filter, order and draw a list of trials; no other value affects it. */
const LIST_VALUES = [
  "text",
  "outcomes",
  "exceptions",
  "failureClasses",
  "clusters",
  "agents",
  "isWithoutReference",
  "evidence",
  "digests",
  "jobs",
  "groups",
  "tasks",
  "scanners",
  "judgments",
  "tags",
  "verifier",
  "flips",
  "rewardKey",
  "rewardMin",
  "rewardMax",
  "costMin",
  "costMax",
  "minutesMin",
  "minutesMax",
  "endedFrom",
  "figure",
  "family",
  "dimension",
  "shareMin",
  "shareMax",
  "shareBelow",
  "isShareMissing",
  "trialSort",
  "descending",
  "columns",
  "isDivided",
  "isOfAllJobs",
] as const satisfies readonly (keyof JobParams)[];

export function writeTrialsQuery(params: Partial<JobParams>): string {
  const own = Object.fromEntries(LIST_VALUES.map((name) => [name, params[name]]));
  return hrefAt("", { ...own, tab: "trials" }, null).slice(1);
}

export function jobTrialsHref(jobKey: string, filters: Partial<JobParams>): Route {
  return jobPageHref(jobKey, { tab: "trials", ...filters });
}

function hrefAt(path: string, params: Partial<JobParams>, tab: JobTab | null = params.tab ?? null): Route {
  const sort = selectSort(params);
  const values = {
    ...params,
    tab,
    sort: sort === selectSort({ tab: params.tab ?? "tasks" }) ? null : sort,
    descending: params.descending === descends(params.tab, sort) ? null : params.descending,
  };
  return jobAddress.href(path, values, writeWeights(params.weights));
}
