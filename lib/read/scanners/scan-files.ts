import { takeExcerpt } from "@/lib/core/domain/excerpt";
import type { ScanPlace } from "@/lib/core/domain/scanner";

import { selectFitting, type TimedScan } from "./scan-events";
import type { Conditions, FileField, FileScanner } from "./scanner";

type FileConditions = Conditions<FileField>;

export function selectPaths(
  { when }: FileScanner,
  paths: readonly string[],
  scan: TimedScan,
): ReadonlyMap<string, readonly FileConditions[]> | null {
  const chosen = new Map<string, FileConditions[]>();
  const files = paths.map((path) => ({ path, text: "" }));
  for (const conditions of when) {
    const fitting = selectFitting<FileField, (typeof files)[number]>(pick(conditions, "path"), files, scan);
    if (fitting === null) return null;
    for (const { thing } of fitting)
      chosen.set(thing.path, [...(chosen.get(thing.path) ?? []), pick(conditions, "text")]);
  }
  return chosen;
}

function pick({ has, not }: FileConditions, field: FileField): FileConditions {
  const only = (all: FileConditions["has"]) => all.filter(([name]) => name === field);
  return { has: only(has), not: only(not) };
}

export function isFoundByPath(conditions: readonly FileConditions[]): boolean {
  return conditions.some(({ has, not }) => has.length + not.length === 0);
}

export function placeFile(path: string): ScanPlace {
  return { file: path, line: null, step: null, before: "", match: "", after: "" };
}

/** Returns lines that match any condition; null on timeout. @param firstLine - from 1 */
export function scanText(
  conditions: readonly FileConditions[],
  { path, text, firstLine }: { readonly path: string; readonly text: string; readonly firstLine: number },
  scan: TimedScan,
): readonly ScanPlace[] | null {
  const lines = text.split("\n").map((line, at) => ({ path, text: line, line: firstLine + at }));
  const places = new Map<number, ScanPlace>();
  for (const own of conditions) {
    const fitting = selectFitting<FileField, (typeof lines)[number]>(own, lines, scan);
    if (fitting === null) return null;
    for (const { thing, at } of fitting) {
      const [, start, end] = at ?? ["text", 0, 0];
      if (!places.has(thing.line))
        places.set(thing.line, {
          file: path,
          line: thing.line,
          step: null,
          ...takeExcerpt(thing.text, start, end),
        });
    }
  }
  return [...places.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
