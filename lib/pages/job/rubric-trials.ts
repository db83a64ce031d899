import "server-only";
import type { RubricFit } from "@/lib/core/domain/rubric";
import {
  computeRewardChange,
  listStatedWeights,
  recomputeReward,
  type RubricWeights,
  type StatedDimension,
} from "@/lib/core/evaluation";
import { computeGroupChanges, type GroupChange } from "@/lib/core/stats";
import { type IndexStore, type JobHead, readRubricTrials, type RubricTrial } from "@/lib/store/tables";

import { createCache } from "../shell/cache";

export interface RubricFamily {
  readonly trials: readonly RubricTrial[];
  readonly weights: ReadonlyMap<string, number>;
  /** True if the details state these weights; otherwise all are equal. */
  readonly areStated: boolean;
}

export interface RecomputedTrial {
  readonly trial: RubricTrial;
  /** NaN if a dimension has no share; null if the trial has no dimensions. */
  readonly recomputed: number | null;
  /** Recomputed minus stored; null unless both are finite. */
  readonly change: number | null;
}

export interface RecomputedFamily {
  /** Largest change first, then unchanged ones in directory order, then unknown ones. */
  readonly trials: readonly RecomputedTrial[];
  readonly groups: readonly GroupChange[];
  readonly nChanged: number;
  readonly nCompared: number;
}

/** Trials that are read or scored before other requests get a turn. */
const AT_ONCE = 1_000;
const keepFamily = createCache<RubricFamily>(4);
const keepRecomputed = createCache<RecomputedFamily>(8);

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

/** Recomputes rewards, means and ranks under a rubric, cached for the job's version. */
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

/** Recomputes a trial's reward under a rubric. */
export function recomputeTrial(trial: RubricTrial, rubric: RubricWeights): RecomputedTrial {
  if (trial.dimensions.length === 0) return { trial, recomputed: null, change: null };
  const recomputed = recomputeReward(rubric, trial.dimensions);
  return {
    trial,
    recomputed,
    change: trial.reward === null ? null : computeRewardChange(trial.reward, recomputed),
  };
}

/** Returns the strategy that most rewards follow; the weighted mean if none does. */
export function findRollup(fits: ReadonlyMap<RubricFit, number>): RubricWeights["rollup"] {
  const count = (...some: readonly RubricFit[]) => some.reduce((sum, fit) => sum + (fits.get(fit) ?? 0), 0);
  const isMin = count("min", "min_rounded") > count("weighted_mean", "weighted_mean_rounded");
  return isMin ? "min" : "weighted_mean";
}

/** Returns every dimension with the weight of the first trial that names it. All weights are 1 if such a trial lacks weights. */
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
