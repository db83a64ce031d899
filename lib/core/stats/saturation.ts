const WINDOW = 20;

export interface Saturation {
  readonly nReviews: number;
  readonly nCategories: number;
  readonly cumulative: readonly number[];
  readonly nRecent: number;
  readonly nNewInRecent: number;
}

/**
 * Counts distinct categories after each review, and new ones in the last 20.
 * @param judgments - the categories of each review in the order of reviewing; empty for a review without any
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
