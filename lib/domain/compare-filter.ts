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

export type CompareShow = (typeof COMPARE_SHOWS)[number];
