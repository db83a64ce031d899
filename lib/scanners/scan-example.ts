import { scanEvents, TimedScan } from "./scan-events";
import { isFoundByPath, scanText, selectPaths } from "./scan-files";
import type { Example, Scanner } from "./scanner";
import type { TimedMatcher } from "./timed-matcher";

/** Generous for short examples, because busy machines stall. */
const EXAMPLE_MS = 2_000;

/** Returns `stopped` on timeout. */
export function scanExample(
  scanner: Scanner,
  { events, file }: Example,
  matcher: TimedMatcher,
): "matches" | "misses" | "stopped" {
  const scan = new TimedScan(matcher, EXAMPLE_MS);
  const isFound =
    scanner.scope === "steps"
      ? hasAny(scanEvents(scanner, events, scan))
      : file !== null && isFileFound(scanner, file, scan);
  if (isFound === null) return "stopped";
  return isFound ? "matches" : "misses";
}

function isFileFound(
  scanner: Extract<Scanner, { scope: "files" }>,
  { path, text }: NonNullable<Example["file"]>,
  scan: TimedScan,
): boolean | null {
  const chosen = selectPaths(scanner, [path], scan);
  const conditions = chosen?.get(path);
  if (conditions === undefined) return chosen === null ? null : false;
  return isFoundByPath(conditions) || hasAny(scanText(conditions, { path, text, firstLine: 1 }, scan));
}

function hasAny(places: readonly unknown[] | null): boolean | null {
  return places && places.length > 0;
}
