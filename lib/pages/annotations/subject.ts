import type { AnnotationSubject } from "@/lib/core/domain/annotation";
import type { Outcome } from "@/lib/core/domain/trial";

export function nameSubject(
  trial: Pick<AnnotationSubject, "trialName" | "taskName" | "agent" | "model"> & {
    readonly id: string | null;
    readonly jobUuid: string | null;
    readonly outcome: Outcome;
    readonly rewardText: string | null;
  },
  job: { readonly uuid: string | null; readonly name: string } | null,
  rootLabel: string,
): AnnotationSubject {
  const { id, jobUuid, trialName, taskName, agent, model, outcome, rewardText } = trial;
  return {
    trialId: id,
    jobUuid: jobUuid ?? job?.uuid ?? null,
    trialName,
    jobName: job?.name ?? "",
    rootLabel,
    taskName,
    agent,
    model,
    outcomeSeen: outcome,
    rewardSeen: rewardText,
  };
}
