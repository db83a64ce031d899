import type { UnavailableReason } from "./unavailable";

const REASONS: Record<UnavailableReason, string> = {
  "no-tasks": "there is no task",
  "no-values": "no value is there",
  "one-task": "a single task shows no variation between tasks",
  "one-value": "a single value shows no variation",
  "no-variation": "nothing varies from task to task",
  "no-common-tasks": "they share no task",
  "no-task-with-enough-attempts": "no task has that many attempts",
  "no-known-values": "nothing was reported",
  "not-finite": "a reward is infinite",
  "undefined-figure": "it divides by zero",
  "several-attempts": "a task has several attempts",
  "not-two-raters": "it is for two reviewers",
  "no-double-labels": "nothing was judged twice",
  "too-few-labels": "too few judgments are there",
  "weights-needed": "judgments were drawn by the verifier's answer, and at what rate is not known",
  "uninformative-verifier": "the verifier hardly tells passes from failures",
  "out-of-reach": "no number would be enough",
  "too-few-attempts": "tasks have too few attempts",
  "too-few-tasks": "with so few tasks no test can be certain",
  "few-pairs": "fewer than three trials state both",
  constant: "one of the two never changes",
};

/** A reason in words that complete "not shown, because". */
export function describeUnavailable(reason: UnavailableReason): string {
  return REASONS[reason];
}
