import type { ListPart } from "./list-page";
import type { TrialAnalysis } from "./trial-file";

export const PARTED_LISTS = ["keys", "dimensions", "tests", "tags", "checks"] as const;

export type PartedList = (typeof PARTED_LISTS)[number];

/** Entries of one part of each list. Dimensions count with their criteria. */
export const PART_SIZES: Readonly<Record<PartedList, number>> = {
  keys: 100,
  dimensions: 200,
  tests: 400,
  tags: 100,
  checks: 100,
};

export const WINDOW_STEPS = 100;
/** Lines of one window of two trajectories side by side. */
export const WINDOW_LINES = 50;

/** The 0-based entry that each list is shown from. */
export interface ListStarts extends Readonly<Record<PartedList, number>> {
  /** A test whose part is shown, wherever that begins; null for none. */
  readonly test: string | null;
}

export const LIST_STARTS: ListStarts = { keys: 0, dimensions: 0, tests: 0, tags: 0, checks: 0, test: null };

/** The part of a list that begins at `from`, or its first where it is not that long; the very same list where it fits. */
export function takePart<T>(list: readonly T[], from: number, size: number): readonly T[] {
  return list.length <= size
    ? list
    : list.slice(startOfPart(list.length, from), startOfPart(list.length, from) + size);
}

/** What was taken by {@link takePart}, of which `shown` entries are left. */
export function describePart(total: number, from: number, shown: number): ListPart {
  return { from: startOfPart(total, from), shown, total };
}

/** The entry that a part begins at: the first one where the list is not that long. */
export function startOfPart(total: number, from: number): number {
  return from < total ? from : 0;
}

/** An analysis with the checks of a part; the very same where they fit. */
export function takeChecks(analysis: TrialAnalysis, from: number): TrialAnalysis {
  const checks = takePart(analysis.checks, from, PART_SIZES.checks);
  return checks === analysis.checks ? analysis : { ...analysis, checks };
}
