import { pythonRoundTo } from "@/lib/core/scoring";

import { DECIMALS, rollUp } from "./score-rubric";

export type Rollup = "weighted_mean" | "min";

const ROLLUPS: readonly Rollup[] = ["weighted_mean", "min"];

/**
 * Strategy by which a stored reward follows from its dimensions, to four decimals, or `_rounded` to two; `other`: none. The rest
 * mean no answer, for lack of a reward, of dimensions, or of a dimension's share.
 */
export type RubricFit = Rollup | `${Rollup}_rounded` | "other" | "no_reward" | "no_dimensions" | "no_share";

export interface StatedDimension {
  readonly name: string;
  /** 0 to 1; null when it is named without a share, which counts as NaN. */
  readonly share: number | null;
  /** Null when none is stated. */
  readonly weight: number | null;
}

/** The weight of each dimension, by name. */
export interface RubricWeights {
  readonly rollup: Rollup;
  readonly weights: ReadonlyMap<string, number>;
}

/**
 * Returns the reward that `scoreRubric` gives from shares of each dimension's maximum, to four decimals. A dimension missing from
 * the trial counts 0, and one missing from the rubric is ignored. NaN where a share is unknown, as in the reference.
 */
export function recomputeReward(
  { rollup, weights }: RubricWeights,
  dimensions: readonly StatedDimension[],
): number {
  const shares = new Map(dimensions.map(({ name, share }) => [name, share ?? NaN]));
  // A share is a score with the maximum 1, already normalised.
  const scored = Array.from(weights, ([name, weight]) => ({ normalised: shares.get(name) ?? 0, weight }));
  return rollUp(scored, rollup);
}

/** Returns recomputed minus stored reward; 0 where both agree to four decimals, null unless finite. */
export function computeRewardChange(stored: number, recomputed: number): number | null {
  if (pythonRoundTo(stored, DECIMALS) === recomputed) return 0;
  const change = recomputed - stored;
  return Number.isFinite(change) ? change : null;
}

/** Returns the weights in a trial's details, or 1 for each dimension unless all have a weight. */
export function listStatedWeights(dimensions: readonly StatedDimension[]): ReadonlyMap<string, number> {
  const areStated = dimensions.every(({ weight }) => weight !== null);
  return new Map(dimensions.map(({ name, weight }) => [name, areStated ? (weight ?? 1) : 1]));
}

/** Returns the strategy by which a stored reward follows from a trial's own dimensions, with their stated weights or equal ones. */
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
