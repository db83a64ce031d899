/** How many reviews back new categories are looked for. */
const WINDOW = 20;

/** Whether reviews still find new categories. */
export interface Saturation {
  readonly nReviews: number;
  readonly nCategories: number;
  /** After each review, the distinct categories so far. */
  readonly cumulative: readonly number[];
  /** Of the last reviews, how many there were: 20, or all of fewer. */
  readonly nRecent: number;
  /** Categories that came up first in these. */
  readonly nNewInRecent: number;
}

/**
 * Distinct categories after each review, and new ones in the last 20.
 * @param judgments - the categories of each review in the order of reviewing; empty where there were none
 */
export function computeSaturation(judgments: readonly (readonly string[])[]): Saturation {
  const seen = new Set<string>();
  const cumulative = judgments.map((categories) => {
    for (const category of categories) seen.add(category);
    return seen.size;
  });
  const nRecent = Math.min(WINDOW, judgments.length);
  const before = cumulative[judgments.length - nRecent - 1] ?? 0;
  return {
    nReviews: judgments.length,
    nCategories: seen.size,
    cumulative,
    nRecent,
    nNewInRecent: seen.size - before,
  };
}
