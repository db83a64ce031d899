import "server-only";

import type { Rollup, RubricFit, RubricRequest } from "@/lib/domain/rubric";
import { findTaskFamily } from "@/lib/domain/task-family";
import { listStatedWeights } from "@/lib/evaluation";
import { type IndexStore, type JobHead, readRubricTrials } from "@/lib/store";

import { getStore } from "../shell/catalog";
import { chooseFields, prepareWeights, type RubricWeight } from "../job/rubric";
import { findRollup, recomputeTrial } from "../job/rubric-trials";
import { locateTrial } from "./locate";

/** A rubric tried on the stored dimensions of one trial. */
export interface TrialRubric {
  readonly family: string;
  readonly fit: RubricFit;
  readonly rollup: Rollup;
  readonly usualRollup: Rollup;
  readonly nWeights: number;
  /** Those that a form lists. */
  readonly fields: readonly RubricWeight[];
  /** Whether the usual weights are those of the details; equal ones otherwise. */
  readonly areStated: boolean;
  readonly isChanged: boolean;
  /** As Python writes it; null when there is none. */
  readonly stored: string | null;
  /** NaN where a dimension has no share. */
  readonly recomputed: number;
  /** Null unless both rewards are finite. */
  readonly change: number | null;
}

/** A rubric tried on the trial that two keys of an address stand for; null when it is not there, and as in {@link readTrialRubric}. */
export async function getTrialRubric(
  jobKey: string,
  trialKey: string,
  request: RubricRequest,
): Promise<TrialRubric | null> {
  const located = await locateTrial(jobKey, trialKey);
  if (located === null) return null;
  const { entry, row, trial } = located;
  return readTrialRubric(await getStore(), entry, { ...row, taskName: trial.taskName }, request);
}

/** The same for a trial as the index has it; null when it states no dimension, is not finished or its files are not read yet. */
export async function readTrialRubric(
  store: IndexStore,
  entry: JobHead,
  { position, taskName }: { readonly position: number; readonly taskName: string },
  request: RubricRequest,
): Promise<TrialRubric | null> {
  const family = findTaskFamily(taskName);
  const [trial] = await readRubricTrials(store, entry.id, family, position, 1);
  if (trial?.position !== position || trial.fit === null) return null;
  const usualRollup = findRollup(new Map([[trial.fit, 1]]));
  const rollup = request.rollup ?? usualRollup;
  const weights = prepareWeights(listStatedWeights(trial.dimensions), request);
  const rubric = { rollup, weights: new Map(weights.map(({ name, weight }) => [name, weight])) };
  const { recomputed, change } = recomputeTrial(trial, rubric);
  return {
    family,
    fit: trial.fit,
    rollup,
    usualRollup,
    nWeights: weights.length,
    fields: chooseFields(weights),
    areStated: trial.dimensions.every(({ weight }) => weight !== null),
    isChanged: rollup !== usualRollup || weights.some(({ weight, usual }) => weight !== usual),
    stored: trial.rewardText,
    recomputed: recomputed ?? Number.NaN,
    change,
  };
}
