import type { Route } from "next";
import { parseAsStringLiteral } from "nuqs/server";

import { JOB_TABS, type JobTab, JUDGMENT_FILTERS, TASK_PATTERNS } from "@/lib/core/domain/job-filter";
import { ROLLUPS, RUBRIC_FITS, RUBRIC_SORTS } from "@/lib/core/domain/rubric";
import { NOT_PASSED, type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import { FIGURE_KINDS, VERDICTS } from "@/lib/core/domain/verification";
import { TASK_COLUMNS, TASK_SORTS } from "@/lib/core/fields/tasks.fields";

import { type AddressValues, createAddress, createListAddress, type SearchValues } from "../address/address";
import { jobHref, type Query } from "../address/href";
import { columns, direction, name, names, oneOf, someOf, text, wholeFrom } from "../address/values";
import { readWeights, type Weights, writeWeights } from "../address/weights";
import {
  FRAME,
  FRAME_NAMES,
  listUnknownTrialsValues,
  parseTrialsParams,
  trialsAddress,
} from "../trials/address";

const tabAddress = createAddress({ tab: oneOf(JOB_TABS) });

const partFrom = wholeFrom(0).withDefault(0);

const TASKS = {
  ...FRAME,
  text,
  patterns: someOf(TASK_PATTERNS),
  outcomes: someOf(OUTCOMES),
  exceptions: names,
  tasks: names,
  judgments: someOf(JUDGMENT_FILTERS),
  sort: oneOf(TASK_SORTS),
  descending: direction,
  columns,
};

const TASKS_NAMES = {
  ...FRAME_NAMES,
  text: "q",
  patterns: "pattern",
  outcomes: "outcome",
  exceptions: "exception",
  tasks: "task",
  judgments: "judgment",
  descending: "dir",
} as const;

const rubricAddress = createListAddress(
  {
    ...FRAME,
    groups: names,
    family: name,
    fits: someOf(RUBRIC_FITS),
    /** Rubric strategy to try; null for the one behind most stored rewards. */
    rollup: parseAsStringLiteral(ROLLUPS),
    sort: oneOf(RUBRIC_SORTS),
    descending: direction,
  },
  { ...FRAME_NAMES, groups: "group", fits: "fit", descending: "dir" },
  { task: { ascends: true } },
);

export const JOB_ADDRESSES = {
  /** The tasks that failed, worst first. */
  errors: createListAddress(
    { ...TASKS, outcomes: someOf<Outcome>(NOT_PASSED), partFrom },
    { ...TASKS_NAMES, partFrom: "tags_from" },
    { ...TASK_COLUMNS, passed: { ...TASK_COLUMNS.passed, ascends: true } },
  ),
  tasks: createListAddress(TASKS, TASKS_NAMES, TASK_COLUMNS),
  trials: { ...trialsAddress, read: parseTrialsParams, listUnknown: listUnknownTrialsValues },
  dimensions: createAddress(
    {
      ...FRAME,
      groups: names,
      family: name,
      /** Other source of dimensions: a job's key, or a run set as on the compare page. */
      beside: names,
      /** Run set that replaces this job, one of its runs. */
      pooled: names,
      partFrom,
    },
    { ...FRAME_NAMES, groups: "group", beside: "with", pooled: "pool", partFrom: "dims_from" },
  ),
  rubric: {
    ...rubricAddress,
    // Weights of dimensions have names of their own.
    read: (search: SearchValues) => ({ ...rubricAddress.read(search), weights: readWeights(search) }),
    href: (
      path: string,
      { weights, ...values }: Partial<ReturnType<typeof rubricAddress.read>> & { readonly weights?: Weights },
      others: Query = {},
    ) => rubricAddress.href(path, values, { ...others, ...writeWeights(weights) }),
  },
  verification: createAddress(
    {
      ...FRAME,
      text,
      groups: names,
      verdicts: someOf(VERDICTS),
      kinds: someOf(FIGURE_KINDS),
      /** Path of a figure. */
      figure: name,
    },
    { ...FRAME_NAMES, text: "q", groups: "group", verdicts: "verdict", kinds: "kind" },
  ),
  lineage: createAddress(FRAME, FRAME_NAMES),
  config: createAddress({ ...FRAME, partFrom }, { ...FRAME_NAMES, partFrom: "issues_from" }),
} as const;

type ParamsOf = {
  readonly [Tab in JobTab]: AddressValues<(typeof JOB_ADDRESSES)[Tab]> & { readonly tab: Tab };
};

export type JobParams = ParamsOf[JobTab];
export type TasksParams = AddressValues<typeof JOB_ADDRESSES.tasks> & { readonly tab: "tasks" | "errors" };
export type ErrorsParams = ParamsOf["errors"];
export type DimensionsParams = ParamsOf["dimensions"];
export type RubricParams = ParamsOf["rubric"];
export type FiguresParams = ParamsOf["verification"];
export type ConfigParams = ParamsOf["config"];

/** Addresses with filters of tasks had no tab before failures became the first. */
function readTab(search: SearchValues): JobTab {
  const isOld =
    search["tab"] === undefined && JOB_ADDRESSES.tasks.names.some((one) => search[one] !== undefined);
  return isOld ? "tasks" : tabAddress.read(search).tab;
}

/** Invalid values become their defaults. */
export function parseJobParams<Tab extends JobTab = JobTab>(
  search: SearchValues,
  tab = readTab(search) as Tab,
): ParamsOf[Tab] {
  return { ...JOB_ADDRESSES[tab].read(search), tab } as ParamsOf[Tab]; // Read by its own tab.
}

/** Includes values of other tabs. An order is one of the open tab, or of any tab if the open one has none. */
export function listUnknownJobValues(search: SearchValues): readonly string[] {
  const all = Object.values(JOB_ADDRESSES);
  const own = JOB_ADDRESSES[readTab(search)];
  const isSorted = (address: (typeof all)[number]) => address.names.includes("sort");
  const sorted = isSorted(own) ? [own] : all.filter(isSorted);
  return Object.keys(search).filter((key) => {
    const isUnknown = (address: typeof tabAddress | typeof own) => address.listUnknown(search).includes(key);
    return key === "sort" ? sorted.every(isUnknown) : [tabAddress, ...all].some(isUnknown);
  });
}

/** A change of anything but the page starts at page 1. */
export function jobPageHref<Tab extends JobTab>(
  jobKey: string,
  { tab, ...params }: { readonly tab: Tab } & Partial<ParamsOf[Tab]>,
  change: Partial<ParamsOf[Tab]> = {},
): Route {
  const address: { href(path: string, values: object, others: Query): Route } = JOB_ADDRESSES[tab];
  const values = { ...params, page: 1, partFrom: 0, ...change };
  return address.href(jobHref(jobKey), values, { tab });
}

export const PARTS = { determinism: "same-output", issues: "load-issues" } as const;

const TABS = { determinism: "verification", issues: "config" } as const;

export function partHref(jobKey: string, part: keyof typeof PARTS): Route {
  return `${jobPageHref(jobKey, { tab: TABS[part] })}#${PARTS[part]}`;
}
