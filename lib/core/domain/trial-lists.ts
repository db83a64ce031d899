import type { ListPart } from "./list-page";
import type { TrialAnalysis } from "./trial-file";

const PARTED_LISTS = ["keys", "dimensions", "tests", "tags", "checks"] as const;

export type PartedList = (typeof PARTED_LISTS)[number];

export const PART_SIZES: Readonly<Record<PartedList, number>> = {
  keys: 100,
  dimensions: 200,
  tests: 400,
  tags: 100,
  checks: 100,
};

export const WINDOW_STEPS = 100;
export const WINDOW_LINES = 50;

export interface ListStarts extends Readonly<Record<PartedList, number>> {
  readonly test: string | null;
}

export const LIST_STARTS: ListStarts = { keys: 0, dimensions: 0, tests: 0, tags: 0, checks: 0, test: null };

export function takePart<T>(list: readonly T[], from: number, size: number): readonly T[] {
  return list.length <= size
    ? list
    : list.slice(startOfPart(list.length, from), startOfPart(list.length, from) + size);
}

export function describePart(total: number, from: number, shown: number): ListPart {
  return { from: startOfPart(total, from), shown, total };
}

/** Returns 0 if the list is shorter. */
export function startOfPart(total: number, from: number): number {
  return from < total ? from : 0;
}

export function takeChecks(analysis: TrialAnalysis, from: number): TrialAnalysis {
  const checks = takePart(analysis.checks, from, PART_SIZES.checks);
  return checks === analysis.checks ? analysis : { ...analysis, checks };
}
