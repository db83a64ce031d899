/** Groups and run sets that one comparison takes. */
export const MAX_GROUPS = 24;

/** Groups that colours and markers tell apart; with more, names stand beside marks in ink. */
export const MAX_COLOURED = 6;

/** What the matrix is sorted by for the share of the group at a place of the comparison, from 0. */
export function nameGroupSort(at: number): `group-${number}` {
  return `group-${at + 1}`;
}

/** What the matrix can be sorted by: figures of a task over all groups, its name, or the mean of one of the groups. */
export const COMPARE_SORTS = [
  "difference",
  "difficulty",
  "disagreement",
  "cost",
  "task",
  ...Array.from({ length: MAX_GROUPS }, (_, at) => nameGroupSort(at)),
] as const;

/** What the rows of the matrix stand under: who is ahead, where they are sorted by that, or the family of their task. */
export const COMPARE_HEADINGS = ["difference", "family"] as const;

/** Which tasks the matrix shows. */
export const COMPARE_SHOWS = ["all", "differ", "flaky"] as const;

export type CompareShow = (typeof COMPARE_SHOWS)[number];
