import type { Route } from "next";

import { JOB_TABS, type JobTab } from "@/lib/core/domain/job-filter";

import { createAddress, type SearchValues } from "../address/address";
import { jobHref, type Query } from "../address/href";
import { oneOf } from "../address/values";
import { listUnknownTrialsValues, parseTrialsParams, trialsAddress } from "../trials/address";
import { configAddress } from "./config-address";
import { dimensionsAddress } from "./dimensions-address";
import { figuresAddress } from "./figures-address";
import { FRAME, FRAME_NAMES, type JobTabParams } from "./frame-address";
import { rubricAddress } from "./rubric-address";
import { failuresAddress, tasksAddress } from "./tasks-address";

const tabAddress = createAddress({ tab: oneOf(JOB_TABS) });

const TABS = {
  errors: failuresAddress,
  tasks: tasksAddress,
  trials: { ...trialsAddress, read: parseTrialsParams, listUnknown: listUnknownTrialsValues },
  dimensions: dimensionsAddress,
  rubric: rubricAddress,
  verification: figuresAddress,
  lineage: createAddress(FRAME, FRAME_NAMES),
  config: configAddress,
} as const;

type ParamsOf = { readonly [Tab in JobTab]: JobTabParams<Tab, (typeof TABS)[Tab]> };

export type JobParams = ParamsOf[JobTab];

/** Addresses with filters of tasks had no tab before failures became the first. */
function readTab(search: SearchValues): JobTab {
  const isOld = search["tab"] === undefined && tasksAddress.names.some((name) => search[name] !== undefined);
  return isOld ? "tasks" : tabAddress.read(search).tab;
}

/** Invalid values become their defaults. */
export function parseJobParams<Tab extends JobTab = JobTab>(
  search: SearchValues,
  tab = readTab(search) as Tab,
): ParamsOf[Tab] {
  return { ...TABS[tab].read(search), tab } as ParamsOf[Tab]; // Read by its own tab.
}

/** Includes values of other tabs. An order is one of the open tab, or of any tab if the open one has none. */
export function listUnknownJobValues(search: SearchValues): readonly string[] {
  const all = Object.values(TABS);
  const own = TABS[readTab(search)];
  const isSorted = ({ names }: (typeof all)[number]) => names.includes("sort");
  const sorted = isSorted(own) ? [own] : all.filter(isSorted);
  return Object.keys(search).filter((name) => {
    const isUnknown = (address: typeof tabAddress | typeof own) => address.listUnknown(search).includes(name);
    return name === "sort" ? sorted.every(isUnknown) : [tabAddress, ...all].some(isUnknown);
  });
}

/** A change of anything but the page starts at page 1. */
export function jobPageHref<Tab extends JobTab>(
  jobKey: string,
  { tab, ...params }: { readonly tab: Tab } & Partial<ParamsOf[Tab]>,
  change: Partial<ParamsOf[Tab]> = {},
): Route {
  const address: { href(path: string, values: object, others: Query): Route } = TABS[tab];
  const values = { ...params, page: 1, partFrom: 0, ...change };
  return address.href(jobHref(jobKey), values, { tab });
}
