import type { Route } from "next";

/** Query values of a link; an undefined or empty value is left out. */
export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Path with a query string. Values are encoded, empty ones left out, keys keep their order. */
export function buildHref(path: string, query: Query = {}): Route {
  const pairs: [string, string][] = [];
  for (const [key, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : value === undefined || value === "" ? [] : [value];
    for (const entry of values) pairs.push([key, String(entry)]);
  }
  const text = pairs.length === 0 ? "" : new URLSearchParams(pairs).toString();
  // Routes are typed by Next for literal paths only; this path is built of those that exist.
  return (text === "" ? path : `${path}?${text}`) as Route;
}

/** A name as one segment of a path. Half a surrogate pair, which no address can hold, becomes U+FFFD, as the index stores it. */
export function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

export function jobHref(jobKey: string, query: Query = {}): Route {
  return buildHref(`/jobs/${encodeSegment(jobKey)}`, query);
}

export function trialHref(jobKey: string, trialKey: string, query: Query = {}): Route {
  return buildHref(`/jobs/${encodeSegment(jobKey)}/trials/${encodeSegment(trialKey)}`, query);
}

/** Names one evals group of one job in the address of the compare page. */
export function groupRef(jobKey: string, groupKey: string): string {
  return `${jobKey}:${groupKey}`;
}

/** The name behind a segment of an address; one that is no valid encoding stands for itself. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
}
