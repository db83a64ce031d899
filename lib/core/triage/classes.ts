/**
 * Cause of a failed trial, as far as its files prove it: the class of the first matching rule, else `unexplained`.
 * `out_of_budget`: the account reached its own quota, credit or plan limit, so its owner must act (HTTP 402, "usage limit
 * reached"). `provider`: the service refused or failed for any other reason, such as a limit that resets within minutes (429),
 * overload, an outage or a bad key.
 */
export const FAILURE_CLASSES = [
  "wrong_answer",
  "partial_credit",
  "no_answer",
  "stopped_early",
  "out_of_time",
  "out_of_context",
  "out_of_output",
  "out_of_turns",
  "out_of_budget",
  "agent_crashed",
  "provider",
  "infrastructure",
  "verifier",
  "task_broken",
  "cancelled",
  "missing",
  "unreadable",
  "no_evidence",
  "unexplained",
] as const;

export type FailureClass = (typeof FAILURE_CLASSES)[number];
