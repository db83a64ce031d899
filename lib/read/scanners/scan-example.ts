import { PATTERN_MS } from "@/lib/core/domain/run-in-time";

import { scanEvents, TimedScan } from "./scan-events";
import { isFoundByPath, scanText, selectPaths } from "./scan-files";
import type { Example, Scanner } from "./scanner";

export function scanExample(scanner: Scanner, { events, file }: Example): "matches" | "misses" | "stopped" {
  const scan = new TimedScan(PATTERN_MS);
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
