import { type Agreement, computeAgreement } from "./agreement";
import type { ResampleOptions } from "./resample";
import { declareUnavailable, type Unavailable } from "./unavailable";

/** An item and the categories that each rater gave it: none, one or several. */
export interface CategorizedItem {
  /** Items of one task are drawn together by the bootstrap. */
  readonly task: string;
  /** One place a rater, the same in every item; null where the rater gave no judgment, which is not the same as none. */
  readonly given: readonly (readonly string[] | null)[];
}

/** How far raters agree on whether a category is there. */
export interface PresenceAgreement {
  readonly category: string;
  /** Items with judgments of two raters or more. */
  readonly nPaired: number;
  /** Of these, items to which somebody gave the category. */
  readonly nNamed: number;
  /** Over the labels "given" and "not given", as its own categories say. */
  readonly agreement: Agreement | Unavailable;
}

/** With fewer items that have the category nothing can be said of it. */
const FEWEST_NAMED = 5;
const LABELS = ["given", "not given"];

/**
 * Agreement on each category alone, as given or not given to the items that two raters or more judged, by
 * `computeAgreement`, with BCa unless told: percentiles cover too rarely where few items have it. Categories are looked at
 * one by one: their intervals do not hold together.
 * @param options.categories - those asked about, each once
 * @returns one a category, in the given order; its agreement is `no-double-labels` where no item was judged twice, and
 *   `rare-category` where fewer than five such items have it
 * @remarks one bootstrap for each category that is not refused
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
