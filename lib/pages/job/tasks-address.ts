import { JUDGMENT_FILTERS, TASK_PATTERNS } from "@/lib/core/domain/job-filter";
import { NOT_PASSED, type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import { TASK_COLUMNS, TASK_SORTS } from "@/lib/core/fields/tasks.fields";

import { createListAddress } from "../address/address";
import { columns, direction, names, oneOf, someOf, text } from "../address/values";
import { FRAME, FRAME_NAMES, type JobTabParams } from "./frame-address";

const PARSERS = {
  ...FRAME,
  text,
  patterns: someOf(TASK_PATTERNS),
  outcomes: someOf(OUTCOMES),
  exceptions: names,
  tasks: names,
  judgments: someOf(JUDGMENT_FILTERS),
  sort: oneOf(TASK_SORTS),
  descending: direction,
  columns,
};

const NAMES = {
  ...FRAME_NAMES,
  text: "q",
  patterns: "pattern",
  outcomes: "outcome",
  exceptions: "exception",
  tasks: "task",
  judgments: "judgment",
  descending: "dir",
} as const;

export const tasksAddress = createListAddress(PARSERS, NAMES, TASK_COLUMNS);

/** The tasks that failed, worst first. */
export const failuresAddress = createListAddress(
  { ...PARSERS, outcomes: someOf<Outcome>(NOT_PASSED) },
  NAMES,
  {
    ...TASK_COLUMNS,
    passed: { ...TASK_COLUMNS.passed, ascends: true },
  },
);

export type TasksParams = JobTabParams<"tasks" | "errors", typeof tasksAddress>;
