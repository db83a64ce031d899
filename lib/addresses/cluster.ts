import type { Route } from "next";

import { buildHref, encodeSegment } from "./href";

/** @param key - its own key, or that of a near-duplicate that joined it */
export function clusterHref(key: string): Route {
  return buildHref(`/errors/clusters/${encodeSegment(key)}`);
}
