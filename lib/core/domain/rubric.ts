export const ROLLUPS = ["weighted_mean", "min"] as const;

export type Rollup = (typeof ROLLUPS)[number];

/** Relation of a stored reward to the trial's own dimensions; see `fitRubric` in lib/core/evaluation. */
export const RUBRIC_FITS = [
  "other",
  "weighted_mean",
  "weighted_mean_rounded",
  "min",
  "min_rounded",
  "no_share",
  "no_reward",
  "no_dimensions",
] as const;

export type RubricFit = (typeof RUBRIC_FITS)[number];

export function isWeightedMean(fit: RubricFit | null): boolean {
  return fit === "weighted_mean" || fit === "weighted_mean_rounded";
}

export const RUBRIC_SORTS = ["change", "stored", "recomputed", "task"] as const;

export type RubricSort = (typeof RUBRIC_SORTS)[number];

export interface RubricRequest {
  readonly rollup: Rollup | null;
  readonly weights: ReadonlyMap<string, number>;
}
