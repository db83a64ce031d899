import "server-only";
import type { TrialException, Trial } from "@/lib/core/domain/trial";
import { prepareTextBlock } from "@/lib/read/loader/detail";

type ExceptionView = ReturnType<typeof viewException>;

export function isExceptionCut({ message, traceback }: ExceptionView): boolean {
  return message.cutNote !== null || (traceback?.cutNote ?? null) !== null;
}

const EXCEPTION_LIMITS = { maxLines: 400, maxLineChars: 2_000, maxBytes: 200_000 };

/** Lists the exception of a trial, then different ones of its steps. */
export function listExceptions(trial: Trial) {
  const own = trial.exception === null ? [] : [viewException(trial.exception, null)];
  const steps = (trial.steps ?? []).flatMap(({ exception, stepName }) =>
    exception === null || isSameException(exception, trial.exception)
      ? []
      : [viewException(exception, stepName)],
  );
  return [...own, ...steps];
}

function isSameException(a: TrialException, b: TrialException | null): boolean {
  return b !== null && a.type === b.type && a.message === b.message;
}

function viewException(exception: TrialException, step: string | null) {
  return {
    type: exception.type,
    step,
    message: prepareTextBlock(exception.message, EXCEPTION_LIMITS),
    traceback: exception.traceback ? prepareTextBlock(exception.traceback, EXCEPTION_LIMITS) : null,
    at: exception.occurredAt,
  };
}
