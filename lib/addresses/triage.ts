import type { Route } from "next";

import { FAILURE_CLASSES } from "@/lib/triage/classes";

import { type AddressValues, createAddress } from "./address";
import { name, names, oneOf, someOf, text } from "./values";

/** What the outcomes of the triage page are drawn by. */
export const TRIAGE_ROWS = ["agent", "job", "family"] as const;

/** Which trials of the findings reviewers judged. */
export const REVIEWED = ["yes", "no"] as const;

/** The address of the triage page. Empty lists mean no filter; no job means every job. */
export const triageAddress = createAddress(
  {
    jobs: names,
    /** Ids of datasets, see `nameDataset`. Points are shown for one alone. */
    datasets: names,
    /** Agent-model names, see `nameAgent` of lib/queries/errors. */
    agents: names,
    tasks: names,
    classes: someOf(FAILURE_CLASSES),
    reviewed: someOf(REVIEWED),
    /** Found in evidence. */
    text,
    rows: oneOf(TRIAGE_ROWS),
    /** Key of the finding that is unfolded; null for the first one. */
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

/** What decides which failures are counted. */
export type TriageFilter = Omit<TriageParams, "open" | "rows">;

export function triageHref(params: Partial<TriageParams>, change: Partial<TriageParams> = {}): Route {
  return triageAddress.href("/errors", { ...params, ...change });
}
