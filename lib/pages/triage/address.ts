import type { Route } from "next";

import { FAILURE_CLASSES } from "@/lib/core/triage/classes";

import { type AddressValues, createAddress } from "../address/address";
import { name, names, oneOf, someOf, text } from "../address/values";

export const TRIAGE_ROWS = ["agent", "job", "family"] as const;

export const REVIEWED = ["yes", "no"] as const;

/** Empty lists mean no filter; no job means every job. */
export const triageAddress = createAddress(
  {
    jobs: names,
    /** Dataset ids, see `nameDataset`. Points are shown for a single one only. */
    datasets: names,
    agents: names,
    tasks: names,
    classes: someOf(FAILURE_CLASSES),
    reviewed: someOf(REVIEWED),
    text,
    rows: oneOf(TRIAGE_ROWS),
    open: name,
  },
  {
    jobs: "job",
    datasets: "dataset",
    agents: "agent",
    tasks: "task",
    classes: "class",
    text: "q",
    rows: "by",
  },
);

export type TriageParams = AddressValues<typeof triageAddress>;

export type TriageFilter = Omit<TriageParams, "open" | "rows">;

export function triageHref(params: Partial<TriageParams>, change: Partial<TriageParams> = {}): Route {
  return triageAddress.href("/errors", { ...params, ...change });
}
