import { classifyCause, type ExceptionCause } from "./exception-cause";
import type { ScoredTrial, StepRecord, TrialException } from "./trial";

/** The exception that a trial counts as an error for. */
export interface TrialFailure<Exception = TrialException> {
  readonly exception: Exception;
  /** Step of a multi-step trial that raised it; null when the trial itself records it. */
  readonly stepName: string | null;
  readonly cause: ExceptionCause;
}

/**
 * Returns the exception of a trial, else that of the step that ended it, else of the first step that raised one; null
 * without any. Harbor's own `n_errors` leaves out exceptions of steps.
 * @see harbor 0.24.0 src/harbor/trial/multi_step.py
 */
export function selectFailure<Exception extends ScoredTrial["exception"]>({
  exception,
  steps,
}: Pick<ScoredTrial, "steps"> & { readonly exception: Exception }): TrialFailure<
  NonNullable<Exception> | TrialException
> | null {
  if (exception !== null) return { exception, stepName: null, cause: classifyCause(exception.type) };
  const failed = (steps ?? []).filter((step) => step.exception !== null);
  // Harbor runs no further step after one that raised and was not verified.
  const step = failed.find(({ hasVerifierResult }) => !hasVerifierResult) ?? failed[0];
  return step?.exception
    ? { exception: step.exception, stepName: step.stepName, cause: classifyStepCause(step) }
    : null;
}

/** Returns the cause of a step's exception; `other` for a step without one. */
export function classifyStepCause(step: StepRecord): ExceptionCause {
  const { exception } = step;
  return exception === null ? "other" : classifyCause(exception.type, isRaisedInVerifier(exception, step));
}

/** True if the verifier had begun and gave no result when an exception was raised. */
export function isRaisedInVerifier(
  { occurredAt }: Pick<TrialException, "occurredAt">,
  { verifier, hasVerifierResult }: Pick<StepRecord, "verifier" | "hasVerifierResult">,
): boolean {
  const startedAt = verifier?.startedAt ?? null;
  // Times without a zone are those of another clock, which cannot be compared.
  const isEarlier =
    startedAt?.zoned === true && occurredAt?.zoned === true && occurredAt.epochMs < startedAt.epochMs;
  return startedAt !== null && !hasVerifierResult && !isEarlier;
}

/** Returns every recorded exception of a trial: its own, then those of its steps in their order. */
export function listExceptions<Exception extends ScoredTrial["exception"]>({
  exception,
  steps,
}: Pick<ScoredTrial, "steps"> & { readonly exception: Exception }): (
  | NonNullable<Exception>
  | TrialException
)[] {
  const own = exception === null ? [] : [exception];
  return [...own, ...(steps ?? []).flatMap((step) => step.exception ?? [])];
}
