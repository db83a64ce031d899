import type { Route } from "next";

import { encodeSegment } from "@/lib/core/domain/segment";

import { buildHref } from "../address/href";

/** @param key - its own key, or that of a near-duplicate that joined it */
export function clusterHref(key: string): Route {
  return buildHref(`/errors/clusters/${encodeSegment(key)}`);
}
