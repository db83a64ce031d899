/**
 * Why a trial did not pass, as far as its files prove it. Every trial that did not pass has exactly one, that of the first
 * rule that fits, and `unexplained` where none does.
 */
export const FAILURE_CLASSES = [
  "wrong_answer",
  "partial_credit",
  "no_answer",
  "stopped_early",
  "out_of_time",
  "out_of_context",
  "out_of_output",
  "out_of_budget",
  "agent_crashed",
  "provider",
  "infrastructure",
  "verifier",
  "task_broken",
  "cancelled",
  "missing",
  "unreadable",
  "unexplained",
] as const;

/** One of {@link FAILURE_CLASSES}. */
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Who can do something about a failure. `nobody`: it is not known, or there is nothing to fix. */
export type Fixer = "agent" | "operator" | "task_author" | "nobody";

/** Who can fix failures of a class: whoever makes the agent, whoever runs the benchmark, or whoever wrote the task. */
export const FIXERS: Readonly<Record<FailureClass, Fixer>> = {
  wrong_answer: "agent",
  partial_credit: "agent",
  no_answer: "agent",
  stopped_early: "agent",
  out_of_time: "agent",
  out_of_context: "agent",
  out_of_output: "agent",
  out_of_budget: "operator",
  agent_crashed: "agent",
  provider: "operator",
  infrastructure: "operator",
  verifier: "task_author",
  task_broken: "task_author",
  cancelled: "nobody",
  missing: "operator",
  unreadable: "operator",
  unexplained: "nobody",
};
