import type { Route } from "next";
import { parseAsStringLiteral } from "nuqs/server";

import type { DimensionFilter } from "@/lib/domain/dimension-filter";
import type { ExportFormat } from "@/lib/domain/export-format";
import {
  JOB_TABS,
  type JobTab,
  JUDGMENT_FILTERS,
  TASK_PATTERNS,
  TASK_SORTS,
  TRIAL_SORTS,
  VERIFIER_FILTERS,
} from "@/lib/domain/job-filter";
import { FLIPS } from "@/lib/domain/lineage";
import { ROLLUPS, RUBRIC_FITS, RUBRIC_SORTS } from "@/lib/domain/rubric";
import { OUTCOMES } from "@/lib/domain/trial";
import { FIGURE_KINDS, VERDICTS } from "@/lib/domain/verification";
import {
  type AddressValues,
  createAddress,
  listSearchValues,
  refuseUnknown,
  type SearchValues,
} from "./address";
import { jobHref } from "./href";
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
} from "./values";
import { readWeights, type Weights, writeWeights } from "./weights";

/** The address of a job page. Empty lists and texts and open ranges mean no filter. */
const jobAddress = createAddress(
  {
    tab: oneOf(JOB_TABS),
    text,
    patterns: someOf(TASK_PATTERNS),
    outcomes: someOf(OUTCOMES),
    exceptions: names,
    agents: names,
    /** Evals group keys. */
    groups: names,
    tasks: names,
    judgments: someOf(JUDGMENT_FILTERS),
    /** Categories of error tags. */
    tags: names,
    verifier: someOf(VERIFIER_FILTERS, { unsteady: "nondeterministic" }),
    /** What a regrade did to a trial's reward. */
    flips: someOf(FLIPS),
    verdicts: someOf(VERDICTS),
    kinds: someOf(FIGURE_KINDS),
    /** Reward key that the reward column, filter and sort mean; null is the headline. */
    rewardKey: name,
    rewardMin: number,
    rewardMax: number,
    /** US dollars. */
    costMin: number,
    costMax: number,
    minutesMin: number,
    minutesMax: number,
    /** Path of a figure: only the trials behind it. */
    figure: name,
    /** Family of tasks whose dimensions are shown, or whose trials are listed; null for all of them. */
    family: name,
    /** Name of a dimension: only trials by their share of it, see {@link readDimension}. */
    dimension: name,
    shareMin: number,
    shareMax: number,
    shareBelow: number,
    isShareMissing: flag("1"),
    /** Whether a reward follows from its own dimensions. */
    fits: someOf(RUBRIC_FITS),
    /** Strategy of a rubric to try; null for that by which most stored rewards follow. */
    rollup: parseAsStringLiteral(ROLLUPS),
    sort: parseAsStringLiteral([...TASK_SORTS, ...TRIAL_SORTS, ...RUBRIC_SORTS]),
    descending: direction,
    columns,
    /** Whether the groups table shows every reward key, not only the headline. */
    allKeys: flag("all"),
    /** Whether dimensions are shown as counts instead of drawings. */
    asTable: flag("table"),
    /** Whether groups whose agent settings differ are divided by them. */
    isDivided: flag("split"),
    /** 0-based first group that has a row and a column of its own. */
    groupsFrom: wholeFrom(0).withDefault(0),
    /** 0-based first dimension of the family that is shown. */
    dimensionsFrom: wholeFrom(0).withDefault(0),
    /** 0-based first load issue of the job that is shown. */
    issuesFrom: wholeFrom(0).withDefault(0),
    page: pageNumber,
  },
  {
    text: "q",
    patterns: "pattern",
    outcomes: "outcome",
    exceptions: "exception",
    agents: "agent",
    groups: "group",
    tasks: "task",
    judgments: "judgment",
    tags: "tag",
    flips: "flip",
    verdicts: "verdict",
    kinds: "kind",
    rewardKey: "key",
    rewardMin: "min",
    rewardMax: "max",
    costMin: "cost_min",
    costMax: "cost_max",
    minutesMin: "time_min",
    minutesMax: "time_max",
    dimension: "dim",
    shareMin: "dim_min",
    shareMax: "dim_max",
    shareBelow: "dim_below",
    isShareMissing: "dim_missing",
    fits: "fit",
    descending: "dir",
    allKeys: "keys",
    asTable: "as",
    isDivided: "settings",
    groupsFrom: "groups_from",
    dimensionsFrom: "dims_from",
    issuesFrom: "issues_from",
  },
);

/** What the address of a job page says. */
export interface JobParams extends Omit<AddressValues<typeof jobAddress>, "sort"> {
  readonly taskSort: (typeof TASK_SORTS)[number];
  readonly trialSort: (typeof TRIAL_SORTS)[number];
  readonly rubricSort: (typeof RUBRIC_SORTS)[number];
  readonly descending: boolean;
  /** Weights of a rubric to try that differ from those of the details. */
  readonly weights: Weights;
}

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseJobParams(search: SearchValues): JobParams {
  const { sort, descending, ...params } = jobAddress.read(search);
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

/** Names in the address with a value that the page does not know, a sort of another tab among them. */
export function listUnknownJobValues(search: SearchValues): readonly string[] {
  const { sort } = jobAddress.read(search);
  const isOfOtherTab = sort !== null && sort !== selectSort(parseJobParams(search));
  return [...jobAddress.listUnknown(search), ...(isOfOtherTab ? ["sort"] : [])];
}

/** How the open tab is sorted. */
function selectSort(params: Partial<JobParams>): JobParams["taskSort" | "trialSort" | "rubricSort"] {
  if (params.tab === "rubric") return params.rubricSort ?? RUBRIC_SORTS[0];
  return params.tab === "trials" ? (params.trialSort ?? TRIAL_SORTS[0]) : (params.taskSort ?? TASK_SORTS[0]);
}

/** Names and orders ascend, amounts descend. */
function descends(tab: JobTab | undefined, sort: string): boolean {
  const ascending = tab === "trials" ? ["task", "agent", "outcome", "exception", "started"] : ["task"];
  return !ascending.includes(sort);
}

/** What the open tab's address says of a dimension; null when it names none. */
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

/** A change that drops the filter by a dimension. */
export const NO_DIMENSION = {
  dimension: null,
  family: null,
  shareMin: null,
  shareMax: null,
  shareBelow: null,
  isShareMissing: false,
} as const;

/** The address of a job page with some values changed; any change but of the page itself starts at the first one. */
export function jobPageHref(
  jobKey: string,
  params: Partial<JobParams>,
  change: Partial<JobParams> = {},
): Route {
  return hrefAt(jobHref(jobKey), { ...params, page: 1, dimensionsFrom: 0, issuesFrom: 0, ...change });
}

/** What a list of trials is filtered, ordered and drawn by: no other part of a job page's address says anything of it. */
const LIST_VALUES = [
  "text",
  "outcomes",
  "exceptions",
  "agents",
  "groups",
  "tasks",
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
] as const satisfies readonly (keyof JobParams)[];

/** The filter and order of a job page's trials as a query without its question mark; empty without any. */
export function writeTrialsQuery(params: Partial<JobParams>): string {
  const own = Object.fromEntries(LIST_VALUES.map((name) => [name, params[name]]));
  return hrefAt("", { ...own, tab: "trials" }, null).slice(1);
}

/** The address of a job page's trials with these filters alone. */
export function jobTrialsHref(jobKey: string, filters: Partial<JobParams>): Route {
  return jobPageHref(jobKey, { tab: "trials", ...filters });
}

/** @param tab - null where the path says which it is */
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

/** The address of something else with the trials of the address: every page, or every trial when another tab is open. */
function trialsHref(jobKey: string, params: JobParams, file: string): Route {
  const filters = params.tab === "trials" ? params : {};
  const path = `${jobHref(jobKey)}/${file}`;
  const wanted = { ...filters, tab: "trials", page: 1, columns: null, allKeys: false } as const;
  return hrefAt(path, wanted, null);
}

/** The address of the trials table as a file. */
export function trialsFileHref(jobKey: string, params: JobParams, format: ExportFormat): Route {
  return trialsHref(jobKey, params, `trials.${format}`);
}

/** The address of the evaluations of the same trials, a JSON line each. */
export function evaluationsFileHref(jobKey: string, params: JobParams): Route {
  return trialsHref(jobKey, params, "evaluations.jsonl");
}

/**
 * What an address of evaluations or a trials file asks for.
 * @throws ValidationError when the address has a value that nobody knows
 */
export function readTrialsRequest(url: string): JobParams {
  const search = { ...listSearchValues(url), tab: "trials" };
  refuseUnknown(listUnknownJobValues(search));
  return parseJobParams(search);
}
