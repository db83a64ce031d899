import { JUDGMENT_FILTERS, TASK_PATTERNS } from "@/lib/core/domain/job-filter";
import { OUTCOMES } from "@/lib/core/domain/trial";
import { TASK_COLUMNS, TASK_SORTS } from "@/lib/core/fields/tasks.fields";

import { createListAddress } from "../address/address";
import { columns, direction, names, oneOf, someOf, text } from "../address/values";
import { FRAME, FRAME_NAMES, type JobTabParams } from "./frame-address";

export const tasksAddress = createListAddress(
  {
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
  },
  {
    ...FRAME_NAMES,
    text: "q",
    patterns: "pattern",
    outcomes: "outcome",
    exceptions: "exception",
    tasks: "task",
    judgments: "judgment",
    descending: "dir",
  },
  TASK_COLUMNS,
);

export type TasksParams = JobTabParams<"tasks", typeof tasksAddress>;
