import "server-only";
import type { TrialIdentity } from "@/lib/core/domain/annotation";
import { StoreError } from "@/lib/core/domain/app-error";
import {
  createDecisionFinder,
  type FindDecision,
  getAnnotationStore,
  listDecisions,
  type TrialJudgments,
} from "@/lib/people/annotations";
import type { EvaluationRequest } from "@/lib/read/trial-reading";
import type { TrialToEvaluate } from "@/lib/read/trial-reading/evaluation";
import type { JobHead } from "@/lib/store/tables";

import { getJudgedOfJob } from "../annotations/judged";
import { getStoreOfJob } from "../shell/catalog";
import type { LocatedTrial } from "./locate";

/** Null without a judgment, or if the store cannot be read, which the review panel reports. */
export async function readJudgments({ job, trial }: LocatedTrial): Promise<TrialJudgments | null> {
  const judged = await getJudgedOfJob(await getStoreOfJob(job.key), job.rowId);
  return judged?.get(trial.key)?.judgments ?? null;
}

/** `root` is the opened folder's label, empty without one. */
export function requestEvaluation(
  { key, name, uuid }: Pick<JobHead, "key" | "name" | "uuid">,
  root: string,
  trial: Pick<TrialToEvaluate, "trial" | "path">,
  judgments: TrialJudgments | null,
  findDecision: FindDecision,
): EvaluationRequest {
  return {
    ...trial,
    job: { key, name, uuid },
    root: root === "" ? null : root,
    judgments: judgments?.latest ?? [],
    decision: findDecision(nameTrial({ name, uuid }, trial.trial)),
  };
}

/** Finds no decision if decisions cannot be read, as for judgments. */
export async function readDecisions(): Promise<FindDecision> {
  try {
    return createDecisionFinder(await listDecisions(getAnnotationStore()));
  } catch (error) {
    if (error instanceof StoreError) return () => null;
    throw error;
  }
}

function nameTrial(
  job: Pick<JobHead, "name" | "uuid">,
  { id, jobUuid, trialName }: TrialToEvaluate["trial"],
): TrialIdentity {
  return { trialId: id, jobUuid: jobUuid ?? job.uuid, trialName, jobName: job.name };
}
