import type { Route } from "next";

import { jobTabHref } from "./job";

/** Where a job's page lists the trials whose verifier may have crashed. */
export function suspectsHref(jobKey: string): Route {
  return `${jobTabHref(jobKey, "errors")}#${PARTS.suspects}`;
}

/** Where a job's page lists what got different rewards for the same output. */
export function determinismHref(jobKey: string): Route {
  return `${jobTabHref(jobKey, "verification")}#${PARTS.determinism}`;
}

/** Where a job's page lists what could not be read of it. */
export function loadIssuesHref(jobKey: string): Route {
  return `${jobTabHref(jobKey, "config")}#${PARTS.issues}`;
}

/** Ids of sections far down a tab. */
export const PARTS = { suspects: "suspects", determinism: "same-output", issues: "load-issues" } as const;
