/** Groups that can be told apart at once: one for each identity. */
export const MAX_GROUPS = 6;

/** What the matrix can be sorted by; `first` to `sixth` are the shares of the chosen groups. */
export const COMPARE_SORTS = [
  "difference",
  "task",
  "first",
  "second",
  "third",
  "fourth",
  "fifth",
  "sixth",
] as const;

/** Which tasks the matrix shows. */
export const COMPARE_SHOWS = ["all", "differ", "flaky"] as const;

/** One of {@link COMPARE_SORTS}. */
export type CompareSort = (typeof COMPARE_SORTS)[number];

/** One of {@link COMPARE_SHOWS}. */
export type CompareShow = (typeof COMPARE_SHOWS)[number];

/** What a comparison is of. */
export interface CompareFilter {
  /** References of the chosen groups, first to last; at most {@link MAX_GROUPS}. */
  readonly refs: readonly string[];
  /** Reward key; null for the one that most trials carry. */
  readonly key: string | null;
  /** An attempt passes when its reward is at least this. */
  readonly threshold: number;
  /** What a missing reward counts as: 0, or it is left out. */
  readonly missing: "zero" | "exclude";
  /** Whether curves are over the tasks that all groups share, or each over its own. */
  readonly tasks: "common" | "own";
  /** The k to read values at; null for the largest. */
  readonly k: number | null;
  /** Page of the matrix, from 1; beyond the last it is the last. */
  readonly matrixPage: number;
  readonly sort: CompareSort;
  readonly descending: boolean;
  readonly show: CompareShow;
}
