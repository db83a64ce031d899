import type { Route } from "next";

import { encodeSegment } from "@/lib/core/domain/segment";

export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export function buildHref(path: string, query: Query = {}): Route {
  const pairs: [string, string][] = [];
  for (const [key, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : value === undefined || value === "" ? [] : [value];
    for (const entry of values) pairs.push([key, String(entry)]);
  }
  const text = pairs.length === 0 ? "" : new URLSearchParams(pairs).toString();
  // Next types routes for literal paths only; this path is built from existing ones.
  return (text === "" ? path : `${path}?${text}`) as Route;
}

export function jobHref(jobKey: string, query: Query = {}): Route {
  return buildHref(`/jobs/${encodeSegment(jobKey)}`, query);
}

export function trialHref(jobKey: string, trialKey: string, query: Query = {}): Route {
  return buildHref(`/jobs/${encodeSegment(jobKey)}/trials/${encodeSegment(trialKey)}`, query);
}

export function groupRef(jobKey: string, groupKey: string): string {
  return `${jobKey}:${groupKey}`;
}
