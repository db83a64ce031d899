import type { Rollup, RubricFit } from "@/lib/domain/rubric";

/** What the answer to "does the stored reward follow from its dimensions" is called. */
export const FIT_WORDS: Readonly<Record<RubricFit, string>> = {
  other: "does not follow",
  weighted_mean: "weighted mean",
  weighted_mean_rounded: "weighted mean, rounded to 2 decimals",
  min: "minimum",
  min_rounded: "minimum, rounded to 2 decimals",
  no_share: "not checked: a dimension has no share",
  no_reward: "not checked: no reward",
  no_dimensions: "not checked: no dimensions",
};

/** What strategies are called within a sentence. */
export const ROLLUP_WORDS: Readonly<Record<Rollup, string>> = {
  weighted_mean: "weighted mean",
  min: "minimum",
};
