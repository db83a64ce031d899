import type { Route } from "next";

import { jobPageHref } from "../job/address";

export const PARTS = { determinism: "same-output", issues: "load-issues" } as const;

const TABS = { determinism: "verification", issues: "config" } as const;

export function partHref(jobKey: string, part: keyof typeof PARTS): Route {
  return `${jobPageHref(jobKey, { tab: TABS[part] })}#${PARTS[part]}`;
}
