import { pythonRoundTo } from "@/lib/scoring";

import { DECIMALS, rollUp } from "./score-rubric";

/** Strategies by which a rubric's dimensions become its reward. */
export type Rollup = "weighted_mean" | "min";

const ROLLUPS: readonly Rollup[] = ["weighted_mean", "min"];

/**
 * Whether a stored reward follows from the dimensions beside it: by a strategy to four decimals, or `_rounded` to two.
 * `other`: by none. The rest are no answer: there is no reward, no dimension, or a dimension without a share.
 */
export type RubricFit = Rollup | `${Rollup}_rounded` | "other" | "no_reward" | "no_dimensions" | "no_share";

/** One dimension of a trial as it is stored. */
export interface StatedDimension {
  readonly name: string;
  /** 0 to 1; null when it is named without a share, which counts as NaN. */
  readonly share: number | null;
  /** Null when none is stated. */
  readonly weight: number | null;
}

/** A rubric over shares: the weight of each dimension, by name. */
export interface RubricWeights {
  readonly rollup: Rollup;
  readonly weights: ReadonlyMap<string, number>;
}

/**
 * The reward that `scoreRubric` gives from shares of each dimension's maximum, to four decimals. A dimension that the trial
 * does not state counts 0, one that the rubric does not name nothing; NaN where a share is unknown, as in the reference.
 */
export function recomputeReward(
  { rollup, weights }: RubricWeights,
  dimensions: readonly StatedDimension[],
): number {
  const shares = new Map(dimensions.map(({ name, share }) => [name, share ?? NaN]));
  // A share is a score with the maximum 1, and needs no normalising.
  const scored = Array.from(weights, ([name, weight]) => ({ normalised: shares.get(name) ?? 0, weight }));
  return rollUp(scored, rollup);
}

/** What a recomputed reward adds to the stored one; 0 where both are the same to four decimals, null unless finite. */
export function computeRewardChange(stored: number, recomputed: number): number | null {
  if (pythonRoundTo(stored, DECIMALS) === recomputed) return 0;
  const change = recomputed - stored;
  return Number.isFinite(change) ? change : null;
}

/** The weights that a trial's details state, or 1 for each dimension when not every one has a weight. */
export function listStatedWeights(dimensions: readonly StatedDimension[]): ReadonlyMap<string, number> {
  const areStated = dimensions.every(({ weight }) => weight !== null);
  return new Map(dimensions.map(({ name, weight }) => [name, areStated ? (weight ?? 1) : 1]));
}

/**
 * Says by which strategy a stored reward follows from a trial's own dimensions, with their stated weights or equal ones.
 */
export function fitRubric(reward: number | null, dimensions: readonly StatedDimension[]): RubricFit {
  if (dimensions.length === 0) return "no_dimensions";
  if (reward === null) return "no_reward";
  const weights = listStatedWeights(dimensions);
  const rewards = ROLLUPS.map((rollup) => ({
    rollup,
    value: recomputeReward({ rollup, weights }, dimensions),
  }));
  const exact = rewards.find(({ value }) => Object.is(pythonRoundTo(reward, DECIMALS) + 0, value + 0));
  if (exact !== undefined) return exact.rollup;
  if (dimensions.some(({ share }) => share === null)) return "no_share";
  const isRounded = pythonRoundTo(reward, 2) === reward;
  const rounded = rewards.find(({ value }) => isRounded && pythonRoundTo(value, 2) === reward);
  return rounded === undefined ? "other" : `${rounded.rollup}_rounded`;
}
