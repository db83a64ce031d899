import type { Route } from "next";
import { z } from "zod";

import type { ExportFormat } from "@/lib/domain/export-format";
import {
  FIGURE_KINDS,
  JOB_TABS,
  type JobFilter,
  type JobTab,
  JUDGMENT_FILTERS,
  type NumberRange,
  TASK_PATTERNS,
  TASK_SORTS,
  TRIAL_SORTS,
  VERDICTS,
  VERIFIER_FILTERS,
} from "@/lib/domain/job-filter";
import { FLIPS } from "@/lib/domain/lineage";
import { FIRST_PAGE } from "@/lib/domain/page-place";
import { ROLLUPS, RUBRIC_FITS, RUBRIC_SORTS } from "@/lib/domain/rubric";
import { OUTCOMES } from "@/lib/domain/trial";
import { buildHref, encodeSegment, jobHref, type Query } from "./href";
import {
  flagParam,
  keyParam,
  lastParam,
  listParam,
  numberParam,
  oneOf,
  type SearchValues,
  someOf,
  textParam,
} from "./params";
import { formatPlace, parsePlace } from "./place";

import { readDimension, readWeights, writeDimension, writeWeights } from "./job-dimension";

export { formatCursor } from "./place";

/** Columns that can be hidden, by the tab that has them. */
export const JOB_COLUMNS = {
  tasks: ["pattern", "reviewed", "cost", "duration"],
  trials: ["agent", "exception", "judgment", "cost", "duration", "tokens", "started"],
} as const;

/** A column of the tasks or trials table that can be hidden. */
export type JobColumn = (typeof JOB_COLUMNS)["tasks" | "trials"][number];

/** What the address of a job page says. */
export interface JobParams extends JobFilter {
  readonly tab: JobTab;
  readonly hidden: readonly JobColumn[];
  /** Whether the groups table shows every reward key, not only the headline. */
  readonly allKeys: boolean;
  /** Whether dimensions are shown as counts instead of drawings. */
  readonly asTable: boolean;
}

const ALL_COLUMNS: readonly JobColumn[] = [...new Set([...JOB_COLUMNS.tasks, ...JOB_COLUMNS.trials])];

const schema = z.object({
  tab: oneOf(JOB_TABS, "tasks"),
  q: textParam,
  pattern: someOf(TASK_PATTERNS),
  outcome: someOf(OUTCOMES),
  exception: listParam,
  agent: listParam,
  group: listParam,
  task: listParam,
  judgment: someOf(JUDGMENT_FILTERS),
  tag: listParam,
  verifier: someOf(VERIFIER_FILTERS),
  flip: someOf(FLIPS),
  verdict: someOf(VERDICTS),
  kind: someOf(FIGURE_KINDS),
  key: keyParam,
  min: numberParam,
  max: numberParam,
  cost_min: numberParam,
  cost_max: numberParam,
  time_min: numberParam,
  time_max: numberParam,
  figure: keyParam,
  family: keyParam,
  dim: keyParam,
  dim_min: numberParam,
  dim_max: numberParam,
  dim_below: numberParam,
  dim_missing: flagParam,
  sort: lastParam,
  dir: lastParam,
  hide: someOf(ALL_COLUMNS),
  keys: lastParam.transform((value) => value === "all"),
  fit: someOf(RUBRIC_FITS),
  rollup: oneOf(ROLLUPS, null),
  as: lastParam.transform((value) => value === "table"),
  settings: lastParam.transform((value) => value === "split"),
  groups_from: numberParam.transform((value) =>
    Number.isSafeInteger(value) && (value ?? 0) > 0 ? (value ?? 0) : 0,
  ),
});

/** How the open tab is sorted. */
function selectSort(params: Pick<JobParams, "tab" | "taskSort" | "trialSort" | "rubricSort">): string {
  if (params.tab === "rubric") return params.rubricSort;
  return params.tab === "trials" ? params.trialSort : params.taskSort;
}

/** Reads the address; whatever it says wrongly falls back to the default. */
export function parseJobParams(search: SearchValues): JobParams {
  const params = schema.parse(search);
  const taskSort = TASK_SORTS.find((sort) => sort === params.sort) ?? "passed";
  const trialSort = TRIAL_SORTS.find((sort) => sort === params.sort) ?? "task";
  const rubricSort = RUBRIC_SORTS.find((sort) => sort === params.sort) ?? "change";
  const sort = selectSort({ tab: params.tab, taskSort, trialSort, rubricSort });
  return {
    tab: params.tab,
    text: params.q,
    patterns: params.pattern,
    outcomes: params.outcome,
    exceptions: params.exception,
    agents: params.agent,
    groups: params.group,
    tasks: params.task,
    judgments: params.judgment,
    tags: params.tag,
    verifier: params.verifier,
    flips: params.flip,
    verdicts: params.verdict,
    kinds: params.kind,
    rewardKey: params.key,
    reward: { min: params.min, max: params.max },
    costUsd: { min: params.cost_min, max: params.cost_max },
    durationMinutes: { min: params.time_min, max: params.time_max },
    figure: params.figure,
    dimension: readDimension(params),
    family: params.dim === null ? params.family : null,
    taskSort,
    trialSort,
    rubricSort,
    fits: params.fit,
    rubric: { rollup: params.rollup, weights: readWeights(search) },
    descending: readDirection(params.dir, params.tab, sort),
    place: parsePlace(search),
    hidden: params.hide,
    allKeys: params.keys,
    asTable: params.as,
    isDivided: params.settings,
    groupsFrom: params.groups_from,
  };
}

const DEFAULTS = new Map<JobTab, JobParams>();

/** What the plain address of a tab says. Kept, since a page has dozens of links that start from it. */
export function getTabParams(tab: JobTab): JobParams {
  let params = DEFAULTS.get(tab);
  if (params === undefined) DEFAULTS.set(tab, (params = parseJobParams({ tab })));
  return params;
}

/** Names and orders ascend, amounts descend. */
function isDescendingByDefault(tab: JobTab, sort: string): boolean {
  const ascending = tab === "trials" ? ["task", "agent", "outcome", "exception", "started"] : ["task"];
  return !ascending.includes(sort);
}

function readDirection(dir: string | undefined, tab: JobTab, sort: string): boolean {
  return dir === "asc" ? false : dir === "desc" ? true : isDescendingByDefault(tab, sort);
}

/** The query of a job page, defaults left out. */
export function buildJobQuery(params: JobParams): Query {
  const sort = selectSort(params);
  const isDefaultSort = sort === selectSort(getTabParams(params.tab));
  const isDefaultDirection = params.descending === isDescendingByDefault(params.tab, sort);
  return {
    tab: params.tab === "tasks" ? undefined : params.tab,
    q: params.text,
    pattern: params.patterns,
    outcome: params.outcomes,
    exception: params.exceptions,
    agent: params.agents,
    group: params.groups,
    task: params.tasks,
    judgment: params.judgments,
    tag: params.tags,
    verifier: params.verifier,
    flip: params.flips,
    verdict: params.verdicts,
    kind: params.kinds,
    key: params.rewardKey ?? undefined,
    ...writeRange("min", "max", params.reward),
    ...writeRange("cost_min", "cost_max", params.costUsd),
    ...writeRange("time_min", "time_max", params.durationMinutes),
    figure: params.figure ?? undefined,
    family: params.family ?? undefined,
    ...writeDimension(params.dimension),
    fit: params.fits,
    rollup: params.rubric.rollup ?? undefined,
    ...writeWeights(params.rubric.weights),
    sort: isDefaultSort ? undefined : sort,
    dir: isDefaultDirection ? undefined : params.descending ? "desc" : "asc",
    ...formatPlace(params.place),
    hide: params.hidden,
    keys: params.allKeys ? "all" : undefined,
    as: params.asTable ? "table" : undefined,
    settings: params.isDivided ? "split" : undefined,
    groups_from: params.groupsFrom === 0 ? undefined : params.groupsFrom,
  };
}

function writeRange(minName: string, maxName: string, { min, max }: NumberRange): Query {
  return { [minName]: min ?? undefined, [maxName]: max ?? undefined };
}

/** The address of a job page with some values changed; any change but of the place itself starts at the first page. */
export function jobPageHref(jobKey: string, params: JobParams, change: Partial<JobParams> = {}): Route {
  return jobHref(jobKey, buildJobQuery({ ...params, place: FIRST_PAGE, ...change }));
}

/** The address of a job page's trials with these filters alone. */
export function jobTrialsHref(jobKey: string, change: Partial<JobParams>): Route {
  return jobPageHref(jobKey, getTabParams("trials"), change);
}

/** Another tab of the same job: filters are left behind, since tabs filter different things. */
export function jobTabHref(
  jobKey: string,
  tab: JobTab,
  kept: Partial<Pick<JobParams, "isDivided">> = {},
): Route {
  return jobPageHref(jobKey, getTabParams(tab), kept);
}

/** The list with `value` added, or removed when it was in it. */
export function toggleJobValue<T extends string>(values: readonly T[], value: T): readonly T[] {
  return values.includes(value) ? values.filter((one) => one !== value) : [...values, value];
}

/** How many filters are on in the open tab, the text among them. */
export function countJobFilters(params: JobParams): number {
  const lists = [
    params.patterns,
    params.outcomes,
    params.exceptions,
    params.agents,
    params.groups,
    params.tasks,
    params.judgments,
    params.tags,
    params.verifier,
    params.flips,
    params.verdicts,
    params.kinds,
    params.fits,
  ];
  const ranges = [params.reward, params.costUsd, params.durationMinutes];
  const nRanges = ranges.filter(({ min, max }) => min !== null || max !== null).length;
  const single = [
    params.text !== "",
    params.figure !== null,
    params.dimension !== null,
    params.family !== null,
  ];
  const nTexts = single.filter(Boolean).length;
  return lists.filter((values) => values.length > 0).length + nRanges + nTexts;
}

/** The address of more rows of the trials table, as JSON: the same filters and order; `after` and `limit` are added to it. */
export function trialRowsHref(jobKey: string, params: JobParams): string {
  const query = buildJobQuery({ ...params, place: FIRST_PAGE, hidden: [], allKeys: false });
  return buildHref(`/jobs/${encodeSegment(jobKey)}/rows`, query);
}

/** The address of the trials table as a file: the same filters and order, every page. Another tab has all trials. */
export function trialsFileHref(jobKey: string, params: JobParams, format: ExportFormat): Route {
  return trialsHref(jobKey, params, `trials.${format}`);
}

/** The address of the evaluations of the same trials, a JSON line each. */
export function evaluationsFileHref(jobKey: string, params: JobParams): Route {
  return trialsHref(jobKey, params, "evaluations.jsonl");
}

function trialsHref(jobKey: string, params: JobParams, file: string): Route {
  const filters = params.tab === "trials" ? params : getTabParams("trials");
  const query = buildJobQuery({ ...filters, place: FIRST_PAGE, hidden: [], allKeys: false });
  return buildHref(`/jobs/${encodeSegment(jobKey)}/${file}`, { ...query, tab: undefined });
}

/** What an address of {@link trialsFileHref} or {@link evaluationsFileHref} asks for. */
export function readTrialsRequest(url: string): JobParams {
  return parseJobParams({ ...listSearchValues(new URL(url).searchParams), tab: "trials" });
}

const MOST_ROWS = 1_000;

/** How many rows are asked for: from 1 to 1,000, by default 200. */
export function parseRowLimit(search: URLSearchParams): number {
  const limit = Number(search.get("limit") ?? NaN);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MOST_ROWS) : 200;
}

/** The query of a request as a page would get it. */
export function listSearchValues(search: URLSearchParams): SearchValues {
  return Object.fromEntries([...search.keys()].map((key) => [key, search.getAll(key)]));
}
