import { classifyCause, type ExceptionCause } from "./exception-cause";
import type { Trial, StepRecord, TrialException } from "./trial";

export interface TrialFailure {
  readonly exception: TrialException;
  readonly stepName: string | null;
  readonly cause: ExceptionCause;
}

/**
 * Returns the trial's exception, else that of the step that ended it, else of the first that raised. Harbor's own `n_errors`
 * leaves out steps.
 * @see harbor 0.24.0 src/harbor/trial/multi_step.py
 */
export function selectFailure({ exception, steps }: Pick<Trial, "exception" | "steps">): TrialFailure | null {
  if (exception !== null) return { exception, stepName: null, cause: classifyCause(exception.type) };
  const failed = (steps ?? []).filter((step) => step.exception !== null);
  // Harbor runs no further step after one that raised and was not verified.
  const step = failed.find(({ hasVerifierResult }) => !hasVerifierResult) ?? failed[0];
  return step?.exception
    ? { exception: step.exception, stepName: step.stepName, cause: classifyStepCause(step) }
    : null;
}

export function classifyStepCause(step: StepRecord): ExceptionCause {
  const { exception } = step;
  return exception === null ? "other" : classifyCause(exception.type, isRaisedInVerifier(exception, step));
}

/** True if the verifier had begun, without a result, when an exception was raised. */
export function isRaisedInVerifier(
  { occurredAt }: Pick<TrialException, "occurredAt">,
  { verifier, hasVerifierResult }: Pick<StepRecord, "verifier" | "hasVerifierResult">,
): boolean {
  const startedAt = verifier?.startedAt ?? null;
  // A time without a zone is from another clock and cannot be compared.
  const isEarlier =
    startedAt?.zoned === true && occurredAt?.zoned === true && occurredAt.epochMs < startedAt.epochMs;
  return startedAt !== null && !hasVerifierResult && !isEarlier;
}

export function listExceptions({ exception, steps }: Pick<Trial, "exception" | "steps">): TrialException[] {
  return [exception, ...(steps ?? []).map((step) => step.exception)].filter((one) => one !== null);
}
