import type { Route } from "next";

import { jobTabHref } from "./search-params";

/** Where a job's page lists the trials whose verifier may have crashed. */
export function suspectsHref(jobKey: string): Route {
  return `${jobTabHref(jobKey, "errors")}#${PARTS.suspects}`;
}

/** Where a job's page lists what got different rewards for the same output. */
export function determinismHref(jobKey: string): Route {
  return `${jobTabHref(jobKey, "verification")}#${PARTS.determinism}`;
}

/** Ids of sections far down a tab. */
export const PARTS = { suspects: "suspects", determinism: "same-output" } as const;
