import type { Route } from "next";

import { buildHref } from "../address/href";

const GUIDES_OF_PAGES = [
  ["/annotations/verifier", "figures"],
  ["/annotations", "reviewing"],
  ["/errors/scanners", "scanners"],
  ["/errors", "triage"],
  ["/compare", "comparing"],
  ["/diff", "comparing"],
  ["/datasets", "comparing"],
  ["/tasks", "comparing"],
  ["/load-report", "formats"],
  ["/account", "team"],
  ["/help", null],
  ["/", "tour"],
] as const;

export function helpHref(guide: string | null, part = ""): Route {
  const path = guide === null ? "/help" : `/help/${guide}`;
  return buildHref(part === "" ? path : `${path}#${part}`);
}

export function helpHrefOf(pathname: string): Route {
  // Users review on a trial's page; the tour covers everything else of a job.
  if (/^\/jobs\/[^/]+\/trials\//.test(pathname)) return helpHref("reviewing");
  const [, guide = null] = GUIDES_OF_PAGES.find(([beginning]) => pathname.startsWith(beginning)) ?? [];
  return helpHref(guide);
}
