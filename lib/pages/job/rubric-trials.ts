import "server-only";
import type { RubricFit } from "@/lib/core/domain/rubric";
import {
  computeRewardChange,
  listStatedWeights,
  recomputeReward,
  type RubricWeights,
  type StatedDimension,
} from "@/lib/core/evaluation";
import { computeGroupChanges } from "@/lib/core/stats";
import { type IndexStore, type JobHead, readRubricTrials, type RubricTrial } from "@/lib/store/tables";

import { createCache } from "../shell/cache";

export type RubricFamily = Awaited<ReturnType<typeof readFamily>>;
export type RecomputedTrial = ReturnType<typeof recomputeTrial>;
export type RecomputedFamily = ReturnType<typeof recompute>;

/** Trials that are read before other requests get a turn. */
const AT_ONCE = 1_000;
const keepFamily = createCache<RubricFamily>(4);
const keepRecomputed = createCache<RecomputedFamily>(8);

/** Yields a job's trials in portions. @param family - null for all */
export async function* readInTurns(store: IndexStore, jobRowId: number, family: string | null) {
  for (let from = 0; ;) {
    const some = await readRubricTrials(store, jobRowId, family, from, AT_ONCE);
    if (some.length > 0) yield some;
    if (some.length < AT_ONCE) return;
    from = (some.at(-1)?.position ?? from) + 1;
    await new Promise((settle) => setImmediate(settle));
  }
}

export function readRubricFamily(store: IndexStore, job: JobHead, family: string): Promise<RubricFamily> {
  const name = JSON.stringify([job.rowId, job.version, family]);
  return keepFamily(name, () => readFamily(store, job, family));
}

async function readFamily(store: IndexStore, job: JobHead, family: string) {
  const trials: RubricTrial[] = [];
  for await (const some of readInTurns(store, job.rowId, family)) trials.push(...some);
  return { trials, ...findWeights(trials) };
}

/** Recomputes rewards, means and ranks of a family under a rubric. */
export function readRecomputedFamily(
  store: IndexStore,
  job: JobHead,
  family: string,
  rubric: RubricWeights,
): Promise<RecomputedFamily> {
  const name = JSON.stringify([job.rowId, job.version, family, rubric.rollup, [...rubric.weights]]);
  return keepRecomputed(name, async () => recompute(await readRubricFamily(store, job, family), rubric));
}

function recompute({ trials }: RubricFamily, rubric: RubricWeights) {
  const rows = trials.map((trial) => recomputeTrial(trial, rubric));
  const pairs = rows.flatMap(({ trial: { groupKey, taskName, reward }, recomputed, change }) =>
    change === null || reward === null
      ? []
      : [{ group: groupKey, task: taskName, before: reward, after: change === 0 ? reward : recomputed }],
  );
  return {
    /** Largest change first, then unchanged ones in directory order, then unknown ones. */
    trials: rows.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    groups: computeGroupChanges(pairs),
    nChanged: rows.filter(({ change }) => change !== null && change !== 0).length,
    nCompared: pairs.length,
  };
}

function sizeOf({ change }: RecomputedTrial): number {
  return change === null ? -1 : Math.abs(change);
}

/**
 * Recomputes a trial's reward under a rubric: NaN if a dimension has no share, null without dimensions. `change` is the recomputed
 * reward minus the stored one; null unless both are finite.
 */
export function recomputeTrial(trial: RubricTrial, rubric: RubricWeights) {
  if (trial.dimensions.length === 0) return { trial, recomputed: null, change: null };
  const recomputed = recomputeReward(rubric, trial.dimensions);
  const change = trial.reward === null ? null : computeRewardChange(trial.reward, recomputed);
  return { trial, recomputed, change };
}

/** Returns the strategy that most rewards follow; the weighted mean if none does. */
export function findRollup(fits: ReadonlyMap<RubricFit, number>): RubricWeights["rollup"] {
  const count = (...some: readonly RubricFit[]) => some.reduce((sum, fit) => sum + (fits.get(fit) ?? 0), 0);
  const isMin = count("min", "min_rounded") > count("weighted_mean", "weighted_mean_rounded");
  return isMin ? "min" : "weighted_mean";
}

/** Returns every dimension with the weight of the first trial that names it. All weights are 1 if such a trial lacks weights. */
function findWeights(trials: readonly RubricTrial[]): {
  readonly weights: ReadonlyMap<string, number>;
  /** True if the details state these weights; otherwise all are equal. */
  readonly areStated: boolean;
} {
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
