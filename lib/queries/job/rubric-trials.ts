import "server-only";

import type { RubricFit } from "@/lib/domain/rubric";
import {
  computeRewardChange,
  listStatedWeights,
  recomputeReward,
  type RubricWeights,
  type StatedDimension,
} from "@/lib/evaluation";
import { computeGroupChanges, type GroupChange } from "@/lib/stats";
import { type IndexStore, type JobHead, readRubricTrials, type RubricTrial } from "@/lib/store";

import { createCache } from "../shell/cache";

/** The finished trials of a family, and the rubric that their details state. */
export interface RubricFamily {
  readonly trials: readonly RubricTrial[];
  /** Dimensions in the order in which trials name them, with their weights by default. */
  readonly weights: ReadonlyMap<string, number>;
  /** Whether these weights are those of the details; equal ones otherwise. */
  readonly areStated: boolean;
}

export interface RecomputedTrial {
  readonly trial: RubricTrial;
  /** NaN where a dimension has no share; null where the trial states no dimension, so that nothing can be recomputed. */
  readonly recomputed: number | null;
  /** Recomputed minus stored; null unless both are finite. */
  readonly change: number | null;
}

/** A family under a rubric. */
export interface RecomputedFamily {
  /** Those whose reward changes most first, those without a change to speak of in directory order, then the unknown. */
  readonly trials: readonly RecomputedTrial[];
  readonly groups: readonly GroupChange[];
  readonly nChanged: number;
  /** Trials with a stored and a recomputed reward. */
  readonly nCompared: number;
}

/** Trials that are read, or scored, before other requests have their turn. */
const AT_ONCE = 1_000;
const keepFamily = createCache<RubricFamily>(4);
const keepRecomputed = createCache<RecomputedFamily>(8);

/** The trials of a family with their dimensions, kept for the job's version. */
export function readRubricFamily(store: IndexStore, job: JobHead, family: string): Promise<RubricFamily> {
  return keepFamily(nameFamily(job, family), async () => {
    const trials: RubricTrial[] = [];
    for (let from = 0; ;) {
      const some = await readRubricTrials(store, job.rowId, family, from, AT_ONCE);
      for (const trial of some) trials.push(trial);
      if (some.length < AT_ONCE) break;
      from = (some.at(-1)?.position ?? from) + 1;
      await giveTurn();
    }
    return { trials, ...findWeights(trials) };
  });
}

/** Rewards, means and ranks of a family under a rubric, kept for the job's version. */
export function recomputeFamily(
  job: JobHead,
  name: string,
  { trials }: RubricFamily,
  rubric: RubricWeights,
): Promise<RecomputedFamily> {
  const key = JSON.stringify([nameFamily(job, name), rubric.rollup, [...rubric.weights]]);
  return keepRecomputed(key, async () => {
    const rows: RecomputedTrial[] = [];
    for (const [index, trial] of trials.entries()) {
      rows.push(recomputeTrial(trial, rubric));
      if (index % AT_ONCE === AT_ONCE - 1) await giveTurn();
    }
    const pairs = rows.flatMap(({ trial: { groupKey, taskName, reward }, recomputed, change }) =>
      change === null || reward === null || recomputed === null
        ? []
        : [{ group: groupKey, task: taskName, before: reward, after: change === 0 ? reward : recomputed }],
    );
    return {
      trials: rows.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
      groups: computeGroupChanges(pairs),
      nChanged: rows.filter(({ change }) => change !== null && change !== 0).length,
      nCompared: pairs.length,
    };
  });
}

function sizeOf({ change }: RecomputedTrial): number {
  return change === null ? -1 : Math.abs(change);
}

/** A trial's reward under a rubric. */
export function recomputeTrial(trial: RubricTrial, rubric: RubricWeights): RecomputedTrial {
  if (trial.dimensions.length === 0) return { trial, recomputed: null, change: null };
  const recomputed = recomputeReward(rubric, trial.dimensions);
  return {
    trial,
    recomputed,
    change: trial.reward === null ? null : computeRewardChange(trial.reward, recomputed),
  };
}

/** The strategy by which most rewards of some fits follow; the weighted mean where none does. */
export function findRollup(fits: ReadonlyMap<RubricFit, number>): RubricWeights["rollup"] {
  const count = (...some: readonly RubricFit[]) => some.reduce((sum, fit) => sum + (fits.get(fit) ?? 0), 0);
  const isMin = count("min", "min_rounded") > count("weighted_mean", "weighted_mean_rounded");
  return isMin ? "min" : "weighted_mean";
}

/** Every dimension that a trial states, with the weight of the first trial that states weights for all of its own. */
function findWeights(trials: readonly RubricTrial[]): Pick<RubricFamily, "weights" | "areStated"> {
  const weights = new Map<string, number>();
  let areStated = true;
  for (const { dimensions } of trials) {
    if (dimensions.every(({ name }) => weights.has(name))) continue;
    areStated &&= dimensions.every(({ weight }) => weight !== null);
    for (const [name, weight] of listStatedWeights(dimensions satisfies readonly StatedDimension[])) {
      if (!weights.has(name)) weights.set(name, weight);
    }
  }
  return { weights: areStated ? weights : new Map([...weights.keys()].map((name) => [name, 1])), areStated };
}

function nameFamily({ rowId: id, version }: JobHead, family: string): string {
  return JSON.stringify([id, version, family]);
}

export function giveTurn(): Promise<void> {
  return new Promise((settle) => setImmediate(settle));
}
