import type { Route } from "next";

import { jobPageHref } from "./job";

/** Where a job's page lists the trials whose verifier may have crashed. */
export function suspectsHref(jobKey: string): Route {
  return `${jobPageHref(jobKey, { tab: "errors" })}#${PARTS.suspects}`;
}

/** Where a job's page lists what got different rewards for the same output. */
export function determinismHref(jobKey: string): Route {
  return `${jobPageHref(jobKey, { tab: "verification" })}#${PARTS.determinism}`;
}

/** Where a job's page lists what could not be read of it. */
export function loadIssuesHref(jobKey: string): Route {
  return `${jobPageHref(jobKey, { tab: "config" })}#${PARTS.issues}`;
}

/** Ids of sections far down a tab. */
export const PARTS = { suspects: "suspects", determinism: "same-output", issues: "load-issues" } as const;
