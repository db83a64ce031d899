import type { Route } from "next";

import { buildHref } from "./href";
import { encodeSegment } from "@/lib/domain/segment";

/** @param key - its own key, or that of a near-duplicate that joined it */
export function clusterHref(key: string): Route {
  return buildHref(`/errors/clusters/${encodeSegment(key)}`);
}
