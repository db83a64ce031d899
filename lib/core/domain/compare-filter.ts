export const MAX_GROUPS = 24;

/** With more groups, marks are in ink with names next to them. */
export const MAX_COLOURED = 6;

export function nameGroupSort(at: number): `group-${number}` {
  return `group-${at + 1}`;
}

export const COMPARE_SORTS = [
  "difference",
  "difficulty",
  "disagreement",
  "cost",
  "task",
  ...Array.from({ length: MAX_GROUPS }, (_, at) => nameGroupSort(at)),
] as const;

export const COMPARE_TABS = ["tasks", "curves", "cost", "robustness", "conditions"] as const;

export const COMPARE_HEADINGS = ["difference", "family"] as const;

export const COMPARE_SHOWS = ["all", "differ", "flaky"] as const;

export const MARK_COLOURS = ["outcome", "reward", "cost", "time", "tokens"] as const;

export type MarkColour = (typeof MARK_COLOURS)[number];

const TASK_STANDINGS = ["ahead", "level", "behind"] as const;

export type TaskStanding = (typeof TASK_STANDINGS)[number];

export const TASK_SPENDINGS = ["less", "same", "more", "unknown"] as const;

export type TaskSpending = (typeof TASK_SPENDINGS)[number];

export const TASK_CHANGES = [
  "any",
  ...TASK_STANDINGS,
  ...TASK_SPENDINGS,
  ...TASK_STANDINGS.flatMap((standing) =>
    TASK_SPENDINGS.map((spending) => `${standing}-${spending}` as const),
  ),
] as const;

export type TaskChange = (typeof TASK_CHANGES)[number];

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
