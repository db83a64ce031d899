import {
  type Annotation,
  disagreesWithVerifier,
  isSameTrial,
  type TrialIdentity,
} from "@/lib/core/domain/annotation";
import type { JobRecord } from "@/lib/core/domain/job";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { ItemState } from "@/lib/core/domain/review";
import type { Trial } from "@/lib/core/domain/trial";

import type { TrialAnnotations } from "./chain";
import type { Decision } from "./decisions/decisions";

export interface TrialJudgments {
  readonly latest: readonly Annotation[];
  readonly judgment: Judgment | "mixed";
  readonly isDecided: boolean;
  /** True if `judgment`, or any reviewer's if `mixed`, contradicts the outcome; see `disagreesWithVerifier`. */
  readonly disagrees: boolean;
}

interface JudgmentScope {
  readonly job: Pick<JobRecord, "uuid" | "name">;
  readonly trials: readonly Pick<Trial, "key" | "id" | "jobUuid" | "trialName" | "outcome">[];
}

export function groupByName(
  stored: readonly TrialAnnotations[],
): ReadonlyMap<string, readonly TrialAnnotations[]> {
  return Map.groupBy(stored, ({ subject }) => subject.trialName);
}

export function matchJudgments(
  byName: ReadonlyMap<string, readonly TrialAnnotations[]>,
  scope: JudgmentScope,
  findDecision: FindDecision,
): Map<string, TrialJudgments> {
  const judgments = new Map<string, TrialJudgments>();
  for (const trial of scope.trials) {
    const identity = {
      trialId: trial.id,
      jobUuid: trial.jobUuid ?? scope.job.uuid,
      trialName: trial.trialName,
      jobName: scope.job.name,
    };
    const latest = (byName.get(trial.trialName) ?? [])
      .filter((candidate) => isSameTrial(candidate.subject, identity))
      .flatMap((candidate) => candidate.chains.flatMap((chain) => chain.current ?? []));
    if (latest.length === 0) continue;
    const said = latest.map(({ judgment }) => judgment);
    const { state, final } = settleJudgments(said, findDecision(identity), 1);
    judgments.set(trial.key, {
      latest,
      judgment: final ?? "mixed",
      isDecided: state === "adjudicated",
      disagrees: (final === null ? said : [final]).some((one) => disagreesWithVerifier(one, trial.outcome)),
    });
  }
  return judgments;
}

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
