/** Strategies by which a rubric's dimensions become its reward. */
export const ROLLUPS = ["weighted_mean", "min"] as const;

export type Rollup = (typeof ROLLUPS)[number];

/** Whether a stored reward follows from the trial's own dimensions, and how; what each means is said by `fitRubric` of lib/evaluation. */
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

/** Whether a reward is the weighted mean of its dimensions, rounded or not. */
export function isWeightedMean(fit: RubricFit | null): boolean {
  return fit === "weighted_mean" || fit === "weighted_mean_rounded";
}

/** What the trials of a rubric can be sorted by: how much their reward changes, or what stands in a column. */
export const RUBRIC_SORTS = ["change", "stored", "recomputed", "task"] as const;

export type RubricSort = (typeof RUBRIC_SORTS)[number];

/** A rubric to try out, as an address states it. */
export interface RubricRequest {
  /** Null for the strategy by which most stored rewards follow. */
  readonly rollup: Rollup | null;
  /** Weights by dimension that differ from those of the details. */
  readonly weights: ReadonlyMap<string, number>;
}
