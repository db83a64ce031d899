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

/** What the marks of the matrix are coloured by: what became of each attempt, or an amount of it on a scale. */
export const MARK_COLOURS = ["outcome", "reward", "cost", "time", "tokens"] as const;

export type MarkColour = (typeof MARK_COLOURS)[number];

/** How the first group's mean reward stands to another group's at a task. */
const TASK_STANDINGS = ["ahead", "level", "behind"] as const;

export type TaskStanding = (typeof TASK_STANDINGS)[number];

/** What the first group spends on an attempt at a task, against another group; `unknown` where one of the two states nothing. */
export const TASK_SPENDINGS = ["less", "same", "more", "unknown"] as const;

export type TaskSpending = (typeof TASK_SPENDINGS)[number];

/** Which tasks the matrix shows by how two groups stand at them: one standing, one way to spend, or one of each. */
export const TASK_CHANGES = [
  "any",
  ...TASK_STANDINGS,
  ...TASK_SPENDINGS,
  ...TASK_STANDINGS.flatMap((standing) =>
    TASK_SPENDINGS.map((spending) => `${standing}-${spending}` as const),
  ),
] as const;

export type TaskChange = (typeof TASK_CHANGES)[number];

/** What a change asks for; null where it asks for any. */
export function readTaskChange(change: TaskChange): {
  readonly standing: TaskStanding | null;
  readonly spending: TaskSpending | null;
} {
  const parts = change.split("-");
  return {
    standing: TASK_STANDINGS.find((one) => parts.includes(one)) ?? null,
    spending: TASK_SPENDINGS.find((one) => parts.includes(one)) ?? null,
  };
}
