import type { TrialRecord } from "@/lib/domain/trial";
import { selectFailure } from "@/lib/domain/trial-failure";

/** Whether a trial did not pass, so that the rules say why. Of several rewards without a headline nobody can say whether they are a pass. */
export function hasFailed({ outcome, rewards }: Pick<TrialRecord, "outcome" | "rewards">): boolean {
  if (outcome === "unscored" && rewards !== null && rewards.size > 1) return false;
  return outcome !== "passed" && outcome !== "running";
}

/**
 * Whether a trial did not fail and yet has an exception, whose class the rules say too: a reading of a score that left out the
 * failed trials of a class and kept the passed ones would favour whoever meets it often.
 */
export function hasPassedInSpite(
  trial: Pick<TrialRecord, "state" | "outcome" | "rewards" | "exception" | "steps">,
): boolean {
  return trial.state === "finished" && !hasFailed(trial) && selectFailure(trial) !== null;
}
