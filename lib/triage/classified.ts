import type { TrialRecord } from "@/lib/domain/trial";
import { selectFailure } from "@/lib/domain/trial-failure";

import type { FailureClass } from "./classes";
import { type Owner, OWNER_OF } from "./owners";
import type { FailureVerdict } from "./rules";
import type { Signal } from "./signals";

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

/**
 * Why a trial did not pass, as lists and files give it. `none`: it passed, still runs, or has no headline to fail by. `pending`: it
 * did not pass and is not classified yet.
 */
export type TrialFailure =
  | { readonly state: "none" | "pending" }
  | {
      readonly state: "known";
      readonly failureClass: FailureClass;
      readonly owner: Owner;
      /** Id of the rule; null where none fitted. */
      readonly rule: string | null;
      readonly evidence: readonly Signal[];
    };

/** Characters of a piece of evidence in lists and files; a trial's own page has more. */
const MAX_TEXT = 400;

/** @param verdict - null while the trial is not classified, and for one that did not fail */
export function describeFailure(
  trial: Pick<TrialRecord, "outcome" | "rewards">,
  verdict: Pick<FailureVerdict, "failureClass" | "rule" | "evidence"> | null,
): TrialFailure {
  if (!hasFailed(trial)) return { state: "none" };
  if (verdict === null) return { state: "pending" };
  const { failureClass, rule } = verdict;
  const evidence = verdict.evidence.map((one) => ({
    ...one,
    text: one.text.slice(0, MAX_TEXT).toWellFormed(),
  }));
  return { state: "known", failureClass, owner: OWNER_OF[failureClass], rule, evidence };
}
