import { type ListColumn, listSorts, SORT_WORDS } from "./field";

const AMOUNT = { numeric: true, sort: SORT_WORDS.amounts } as const;

/** Columns of the table of tasks. Those of the job's groups follow the first. */
export const TASK_COLUMNS = {
  task: {
    heading: "Task",
    isFixed: true,
    className: "name",
    sort: SORT_WORDS.names,
    ascends: true,
    phone: "first",
  },
  passed: { ...AMOUNT, heading: "Passed", phone: "score" },
  reward: {
    ...AMOUNT,
    heading: "Mean reward",
    title: "Over the attempts that have one",
    phone: "labelled",
  },
  pattern: { heading: "Pattern", phone: "second" },
  reviewed: { ...AMOUNT, heading: "Reviewed" },
  cost: { ...AMOUNT, heading: "Mean cost, $", room: "minor" },
  duration: { ...AMOUNT, heading: "Median duration", sort: SORT_WORDS.lengths, room: "minor" },
} as const satisfies Readonly<Record<string, ListColumn>>;

export type TaskColumn = keyof typeof TASK_COLUMNS;

export const TASK_SORTS = listSorts(TASK_COLUMNS, "passed");
