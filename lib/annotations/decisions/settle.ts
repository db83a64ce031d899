import { isSameTrial, type TrialIdentity } from "@/lib/domain/annotation";
import type { Judgment } from "@/lib/domain/judgment";
import type { ItemState } from "@/lib/domain/review";

import type { Decision } from "./decision-rows";

/** Returns the decision over a trial that was made last; null where nobody decided. */
export type FindDecision = (trial: TrialIdentity) => Decision | null;

/** Finds decisions by their trials, of which there may be very many. */
export function createDecisionFinder(decisions: readonly Decision[]): FindDecision {
  const byName = Map.groupBy(decisions, ({ subject }) => subject.trialName);
  return (subject) =>
    (byName.get(subject.trialName) ?? []).findLast((one) => isSameTrial(one.subject, subject)) ?? null;
}

/** Where the reviewers of a trial stand, and what they say in the end: null while that is open. */
export interface Settled {
  readonly state: ItemState;
  readonly final: Judgment | null;
}

/**
 * Where the reviewers of a trial stand, by the rules of the evaluation contract: equal judgments agree, a majority does not, and a
 * decision counts only over reviewers who differ.
 */
export function settleJudgments(
  judgments: readonly Judgment[],
  decision: Pick<Decision, "finalJudgment"> | null,
  nReviewers: number,
): Settled {
  const [first] = judgments;
  if (first === undefined) return { state: "todo", final: null };
  if (judgments.some((judgment) => judgment !== first)) {
    if (decision === null) return { state: "conflict", final: null };
    return decision.finalJudgment === null
      ? { state: "contested", final: null }
      : { state: "adjudicated", final: decision.finalJudgment };
  }
  return { state: judgments.length < nReviewers ? "waiting" : "agreed", final: first };
}
