import { type Agreement, computeAgreement } from "./agreement";
import type { ResampleOptions } from "./resample";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface CategorizedItem {
  /** The bootstrap resamples the items of a task together. */
  readonly task: string;
  /** One entry per rater, in the same order in every item. Null means no judgment, an empty list means no category. */
  readonly given: readonly (readonly string[] | null)[];
}

export interface PresenceAgreement {
  readonly category: string;
  readonly nPaired: number;
  /** Items with the category from at least one rater. */
  readonly nNamed: number;
  readonly agreement: Agreement | Unavailable;
}

const FEWEST_NAMED = 5;
const LABELS = ["given", "not given"];

/**
 * Computes the agreement on each category alone, as given or not given, over items that at least two raters judged. Uses
 * `computeAgreement`, with BCa by default: percentiles cover too rarely where few items have the category. The intervals do not
 * hold jointly.
 * @param options.categories - each once
 * @returns one entry per category, in the given order; its agreement is `no-double-labels` where no item was judged twice, and
 * `rare-category` where fewer than five such items have it
 * @remarks one bootstrap per category
 */
export function computeAgreementByCategory(
  items: readonly CategorizedItem[],
  options: ResampleOptions & { readonly categories: readonly string[] },
): readonly PresenceAgreement[] {
  const paired = items.filter(({ given }) => given.filter((own) => own !== null).length >= 2);
  const nNamed = new Map<string, number>();
  for (const { given } of paired) {
    for (const category of new Set(given.flatMap((own) => own ?? []))) {
      nNamed.set(category, (nNamed.get(category) ?? 0) + 1);
    }
  }
  const compute = (category: string): Agreement | Unavailable => {
    if (paired.length === 0) return declareUnavailable("no-double-labels");
    if ((nNamed.get(category) ?? 0) < FEWEST_NAMED) return declareUnavailable("rare-category");
    const rated = paired.map(({ task, given }) => ({
      task,
      labels: given.map((own) => {
        if (own === null) return null;
        return own.includes(category) ? "given" : "not given";
      }),
    }));
    return computeAgreement(rated, { ...options, method: options.method ?? "bca", categories: LABELS });
  };
  return options.categories.map((category) => ({
    category,
    nPaired: paired.length,
    nNamed: nNamed.get(category) ?? 0,
    agreement: compute(category),
  }));
}
