const REASONS = {
  "no-tasks": "there are no tasks",
  "no-values": "there are no values",
  "one-task": "one task shows no variation between tasks",
  "several-datasets": "the trials are from several datasets",
  "one-run": "one run shows no variation between runs",
  "one-value": "one value shows no variation",
  "no-variation": "there is no variation between tasks",
  "no-common-tasks": "they share no task",
  "no-reward": "one of them has no reward",
  "no-task-with-enough-attempts": "no task has that many attempts",
  "no-known-values": "nothing was reported",
  "not-finite": "a reward is infinite",
  "undefined-figure": "it divides by zero",
  "several-attempts": "a task has several attempts",
  "not-two-raters": "it needs exactly two reviewers",
  "constant-rater": "one reviewer always gives the same answer, so it is 0",
  "no-double-labels": "nothing was reviewed twice",
  "rare-category": "fewer than five trials reviewed twice have it",
  "too-few-labels": "there are too few judgments",
  "chosen-by-result": "the trials were chosen by their result",
  "weights-needed": "judgments were sampled at unknown rates",
  "uninformative-verifier": "the verifier barely separates passes from failures",
  "out-of-reach": "no number would be enough",
  "too-few-attempts": "tasks have too few attempts",
  "too-few-tasks": "with so few tasks no test can be certain",
  "few-pairs": "fewer than three trials report both",
  "few-runs": "fewer than three runs can be compared",
  "no-ends": "rewards are not from 0 to 1",
  "ends-unknown": "some trials ended in a way that is not known yet",
  constant: "one of the two never varies",
} as const;

export type UnavailableReason = keyof typeof REASONS;

/** A figure that cannot be computed, and why. Never a NaN. */
export interface Unavailable {
  readonly kind: "unavailable";
  readonly reason: UnavailableReason;
}

/** The result of a function where it can be computed. */
export type Computed<F extends (...inputs: never[]) => unknown> = Exclude<ReturnType<F>, Unavailable>;

export function declareUnavailable(reason: UnavailableReason): Unavailable {
  return { kind: "unavailable", reason };
}

/** Returns a reason in words that complete "not shown, because". */
export function describeUnavailable(reason: UnavailableReason): string {
  return REASONS[reason];
}
