import "server-only";
import type { RubricRequest } from "@/lib/core/domain/rubric";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import { listStatedWeights } from "@/lib/core/evaluation";
import { type IndexStore, type JobHead, readRubricTrials } from "@/lib/store/tables";

import { toRubricWeights, tryRubric } from "../job/rubric";
import { recomputeTrial } from "../job/rubric-trials";

/** Null if the trial has no dimension, is unfinished or has unread files. */
export async function readTrialRubric(
  store: IndexStore,
  job: JobHead,
  { position, taskName }: { readonly position: number; readonly taskName: string },
  request: RubricRequest,
) {
  const family = findTaskFamily(taskName);
  const [trial] = await readRubricTrials(store, job.rowId, family, position, 1);
  if (trial?.position !== position || trial.fit === null) return null;
  const usual = {
    weights: listStatedWeights(trial.dimensions),
    areStated: trial.dimensions.every(({ weight }) => weight !== null),
  };
  const tried = tryRubric(usual, new Map([[trial.fit, 1]]), request);
  const { recomputed, change } = recomputeTrial(trial, toRubricWeights(tried));
  return {
    ...tried,
    family,
    fit: trial.fit,
    /** As Python writes it. */
    stored: trial.rewardText,
    /** NaN if a dimension has no share. */
    recomputed: recomputed ?? Number.NaN,
    /** Null unless both rewards are finite. */
    change,
  };
}
