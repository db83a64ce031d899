import "server-only";

import {
  createDecisionFinder,
  type FindDecision,
  getAnnotationStore,
  listDecisions,
  type TrialJudgments,
} from "@/lib/annotations";
import type { TrialIdentity } from "@/lib/domain/annotation";
import { StoreError } from "@/lib/domain/app-error";
import type { JobHead } from "@/lib/store";
import type { TrialToEvaluate } from "@/lib/trial-evaluation";
import type { EvaluationRequest } from "@/lib/trial-reading";

import { getJudgedOfJob } from "../annotations/judged";
import { getStoreOfJob } from "../shell/catalog";
import type { LocatedTrial } from "./locate";

/** What reviewers say of a trial; null when nobody judged it or the store cannot be read, as the review panel then says. */
export async function readJudgments({ job, trial }: LocatedTrial): Promise<TrialJudgments | null> {
  const judged = await getJudgedOfJob(await getStoreOfJob(job.key), job.rowId);
  return judged?.get(trial.key)?.judgments ?? null;
}

/** What a reader is asked for a trial's evaluation; `root` is the opened folder's label, empty when it has none. */
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

/** Finds the decisions that stand; none when they cannot be read, as of judgments. */
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
