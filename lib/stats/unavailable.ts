/**
 * Why a figure cannot be given. A closed list that pages turn into words.
 * `no-tasks`: the group has no task. `no-values`: tasks are there but every value is missing.
 * `one-task`: variation between tasks cannot be seen. `one-value`: a single value shows no variation at all.
 * `no-variation`: all tasks agree on a value for which no exact bound is known.
 * `no-common-tasks`: two groups share no task. `no-task-with-enough-attempts`: no task has that many attempts.
 * `no-known-values`: nothing was reported. `not-finite`: a value is infinite, so that no mean exists.
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
