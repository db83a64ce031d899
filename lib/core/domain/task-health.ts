/** Worst first. A task is listed once, under the first problem that applies. */
export const TASK_PROBLEMS = [
  "failed-by-oracle",
  "solved-by-nop",
  "nondeterministic",
  "verifier-crashes",
  "low-item-rest",
  "timeouts-only",
  "flaky",
  "costly",
  "never-solved",
  "always-solved",
] as const;

export type TaskProblem = (typeof TASK_PROBLEMS)[number];

/** `wrong`: fix before trusting a score. `nothing`: the task does not separate agents. */
export const TASK_REMEDIES = ["wrong", "measures-other", "limits", "nothing"] as const;

export type TaskRemedy = (typeof TASK_REMEDIES)[number];

export const REMEDY_OF: Readonly<Record<TaskProblem, TaskRemedy>> = {
  "failed-by-oracle": "wrong",
  "solved-by-nop": "wrong",
  nondeterministic: "wrong",
  "verifier-crashes": "wrong",
  "low-item-rest": "measures-other",
  "timeouts-only": "limits",
  flaky: "limits",
  costly: "limits",
  "never-solved": "nothing",
  "always-solved": "nothing",
};
