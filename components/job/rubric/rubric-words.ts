import type { Rollup, RubricFit } from "@/lib/core/domain/rubric";
import { formatReward } from "@/lib/core/format/number";

export const FIT_WORDS: Readonly<Record<RubricFit, string>> = {
  other: "does not follow",
  weighted_mean: "is the weighted mean",
  weighted_mean_rounded: "is the weighted mean, rounded to 2 decimals",
  min: "is the minimum",
  min_rounded: "is the minimum, rounded to 2 decimals",
  no_share: "not checked: a dimension has no share",
  no_reward: "not checked: no reward",
  no_dimensions: "not checked: no dimensions",
};

export const ROLLUP_WORDS: Readonly<Record<Rollup, string>> = {
  weighted_mean: "weighted mean",
  min: "minimum",
};

/** Formats a signed change with four decimals, as rubrics round; never minus zero. */
export function formatChange(change: number): string {
  const shown = formatReward(Math.round(change * 10_000) / 10_000 + 0, 4);
  return change > 0 ? `+${shown}` : shown;
}
