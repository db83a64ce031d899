import { type Annotation, disagreesWithVerifier, isSameTrial } from "@/lib/core/domain/annotation";
import type { JobRecord } from "@/lib/core/domain/job";
import type { Judgment } from "@/lib/core/domain/judgment";
import type { Trial } from "@/lib/core/domain/trial";

import type { TrialAnnotations } from "./chain";
import { type FindDecision, settleJudgments } from "./decisions/settle";

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
