import type { Route } from "next";

import { jobPageHref } from "./job";

/** Ids of sections far down a tab of a job's page. */
export const PARTS = { suspects: "suspects", determinism: "same-output", issues: "load-issues" } as const;

const TABS = { suspects: "errors", determinism: "verification", issues: "config" } as const;

/** Where a job's page lists suspects, what got different rewards for the same output, or what could not be read. */
export function partHref(jobKey: string, part: keyof typeof PARTS): Route {
  return `${jobPageHref(jobKey, { tab: TABS[part] })}#${PARTS[part]}`;
}
