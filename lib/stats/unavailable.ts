/**
 * Why a figure cannot be given. A closed list that pages turn into words.
 * `no-tasks`: the group has no task. `no-values`: tasks are there but every value is missing.
 * `one-task`: variation between tasks cannot be seen. `one-value`: one value shows no variation at all.
 * `no-variation`: all tasks agree on a value for which no exact bound is known.
 * `no-common-tasks`: two groups share no task. `no-task-with-enough-attempts`: no task has that many attempts.
 * `no-known-values`: nothing was reported. `not-finite`: a value is infinite, so that no mean exists.
 * `undefined-figure`: the figure divides by 0, as observed or in too many resamples.
 * `several-attempts`: the test is for one attempt a task. `not-two-raters`: the coefficient is for two raters.
 * `no-double-labels`: no item has labels of two raters. `too-few-labels`: a stratum has too few labels to correct by.
 * `weights-needed`: labels were drawn by what the verifier said, and their sampling weights are not known.
 * `uninformative-verifier`: the verifier hardly tells right from wrong. `out-of-reach`: no number would be enough.
 * `too-few-attempts`: variation between attempts of a task cannot be seen, or not for that many at once.
 * `too-few-tasks`: with so few tasks no test could be certain.
 * `few-pairs`: too few rows state both of two columns. `constant`: one of two columns never changes.
 */
export type UnavailableReason =
  | "no-tasks"
  | "no-values"
  | "one-task"
  | "one-value"
  | "no-variation"
  | "no-common-tasks"
  | "no-task-with-enough-attempts"
  | "no-known-values"
  | "not-finite"
  | "undefined-figure"
  | "several-attempts"
  | "not-two-raters"
  | "no-double-labels"
  | "too-few-labels"
  | "weights-needed"
  | "uninformative-verifier"
  | "out-of-reach"
  | "too-few-attempts"
  | "too-few-tasks"
  | "few-pairs"
  | "constant";

/** A figure that cannot be computed, and why. Never a NaN. */
export interface Unavailable {
  readonly kind: "unavailable";
  readonly reason: UnavailableReason;
}

/** Makes an {@link Unavailable}. */
export function declareUnavailable(reason: UnavailableReason): Unavailable {
  return { kind: "unavailable", reason };
}
