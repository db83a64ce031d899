import { isSameTrial, type TrialIdentity } from "@/lib/core/domain/annotation";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { ItemState } from "@/lib/core/domain/review";

import type { Decision } from "./decision-rows";

export type FindDecision = (trial: TrialIdentity) => Decision | null;

export function createDecisionFinder(decisions: readonly Decision[]): FindDecision {
  const byName = Map.groupBy(decisions, ({ subject }) => subject.trialName);
  return (subject) =>
    (byName.get(subject.trialName) ?? []).findLast((one) => isSameTrial(one.subject, subject)) ?? null;
}

export interface Settled {
  readonly state: ItemState;
  readonly final: Judgment | null;
}

/** Applies the evaluation contract: only equal judgments agree, and decisions count only over disagreement. */
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
