import type { Route } from "next";

import { buildHref } from "./href";

/** Which guide is about which pages, by the beginning of their paths; the first that fits counts. */
const GUIDES_OF_PAGES = [
  ["/annotations/verifier", "figures"],
  ["/annotations", "reviewing"],
  ["/errors/scanners", "scanners"],
  ["/errors", "triage"],
  ["/compare", "comparing"],
  ["/beside", "comparing"],
  ["/datasets", "comparing"],
  ["/tasks", "comparing"],
  ["/load-report", "formats"],
  ["/account", "team"],
  ["/help", null],
  ["/", "tour"],
] as const;

/** Address of a guide by its name, or of their list; `part` is a heading within it. */
export function helpHref(guide: string | null, part = ""): Route {
  const path = guide === null ? "/help" : `/help/${guide}`;
  return buildHref(part === "" ? path : `${path}#${part}`);
}

/**
 * Address of the guide that is about a page.
 *
 * @param pathname - path of the page, without its query
 * @returns the list of guides for pages that have none of their own
 */
export function helpHrefOf(pathname: string): Route {
  // A trial is where people judge; everything else of a job is in the tour.
  if (/^\/jobs\/[^/]+\/trials\//.test(pathname)) return helpHref("reviewing");
  const [, guide = null] = GUIDES_OF_PAGES.find(([beginning]) => pathname.startsWith(beginning)) ?? [];
  return helpHref(guide);
}
