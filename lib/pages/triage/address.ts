import type { Route } from "next";

import { FAILURE_CLASSES } from "@/lib/core/triage/classes";

import { type AddressValues, createAddress } from "../address/address";
import { name, names, oneOf, someOf, text } from "../address/values";

export const HEAT_ROWS = ["agent", "job", "task", "family"] as const;

export type HeatRows = (typeof HEAT_ROWS)[number];

export const REVIEWED = ["yes", "no"] as const;

/** Cookie with the dataset last shown in a browser. */
export const BENCHMARK_COOKIE = "assay-benchmark";

/** Empty lists mean no filter; no job means every job. */
export const triageAddress = createAddress(
  {
    jobs: names,
    /** Dataset ids, see `nameDataset`. A page shows the first. */
    datasets: names,
    agents: names,
    tasks: names,
    classes: someOf(FAILURE_CLASSES),
    reviewed: someOf(REVIEWED),
    text,
    view: oneOf(["causes", ...HEAT_ROWS]),
    open: name,
  },
  {
    jobs: "job",
    datasets: "dataset",
    agents: "agent",
    tasks: "task",
    classes: "class",
    text: "q",
    view: "by",
  },
);

export type TriageParams = AddressValues<typeof triageAddress>;

export type TriageFilter = Omit<TriageParams, "open" | "view">;

export function triageHref(params: Partial<TriageParams>, change: Partial<TriageParams> = {}): Route {
  return triageAddress.href("/errors", { ...params, ...change });
}
