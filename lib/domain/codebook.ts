import { CATEGORY_CONTEXTS, type CategoryContext } from "./review";

/** Colours of categories, by the names of their tokens; an identity, never a verdict. */
export const CATEGORY_COLOURS = ["blue", "orange", "purple", "green", "grey"] as const;

export type CategoryColour = (typeof CATEGORY_COLOURS)[number];

/** What a category says, as its author writes it. */
export interface CategoryText {
  readonly label: string;
  /** When it applies; empty while nobody wrote it. */
  readonly definition: string;
  /** A case that it covers, and one that looks alike and it does not cover; empty while nobody wrote them. */
  readonly example: string;
  readonly counterExample: string;
  readonly colour: CategoryColour | null;
  /** Id of the category above it; null at the top. */
  readonly parentId: string | null;
  readonly contexts: readonly CategoryContext[];
}

/** A category of the codebook. Its id never changes, whatever it is called. */
export interface Category extends CategoryText {
  readonly id: string;
  /** The digit that toggles it with Shift, the same for ever; null where all of its contexts have nine others. */
  readonly key: number | null;
  /** `live`: can be chosen. `merged`: its judgments count for `successors[0]`. `split`: they wait to be judged again. */
  readonly state: "live" | "merged" | "split" | "retired";
  /** Ids of what it became. */
  readonly successors: readonly string[];
  /** Version of the codebook in which it came to be; 0 for those that every codebook begins with. */
  readonly since: number;
}

/** Longest texts of a category, in UTF-16 units, and most categories. */
export const CATEGORY_LIMITS = { label: 80, text: 2_000, categories: 10_000 } as const;

/** All categories at one version. */
export interface Codebook {
  /** Number of the last change; 0 before the first. */
  readonly version: number;
  /** In the order in which they came to be. */
  readonly categories: readonly Category[];
  /** Whether reviewers only write notes for now, so that categories come from what was seen. */
  readonly isOpenCoding: boolean;
}

/** Returns a label as it is compared: composed, in small letters, with single spaces. */
export function foldLabel(label: string): string {
  return label.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

/** Categories that can be chosen in a context: those against the verifier first, else in the order of their keys, then by age. */
export function listOffered(codebook: Codebook, context: CategoryContext): readonly Category[] {
  const live = codebook.categories.filter(
    ({ state, contexts }) => state === "live" && contexts.includes(context),
  );
  const isSpecial = ({ contexts }: Category) => contexts.every((one) => one.endsWith("-against"));
  return live.toSorted(
    (a, b) =>
      Number(isSpecial(b)) - Number(isSpecial(a)) || (a.key ?? 10) - (b.key ?? 10) || a.since - b.since,
  );
}

/**
 * Gives digits to categories that come to a codebook: to each the preferred one, else the lowest, that no live category of the
 * same verdict has, with the reward or against it; null when all nine are taken.
 */
export function createKeyGiver(
  live: Iterable<Pick<Category, "key" | "contexts">>,
): (contexts: readonly CategoryContext[], preferred?: number | null) => number | null {
  const taken = new Map<string, Set<number>>();
  const take = (key: number, contexts: readonly CategoryContext[]) => {
    for (const context of contexts) {
      const verdict = stripAgainst(context);
      taken.set(verdict, (taken.get(verdict) ?? new Set()).add(key));
    }
  };
  for (const { key, contexts } of live) if (key !== null) take(key, contexts);
  return (contexts, preferred = null) => {
    const isFree = (digit: number) =>
      contexts.every((one) => taken.get(stripAgainst(one))?.has(digit) !== true);
    const key = DIGITS.find((digit) => digit === preferred && isFree(digit)) ?? DIGITS.find(isFree);
    if (key !== undefined) take(key, contexts);
    return key ?? null;
  };
}

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

function stripAgainst(context: CategoryContext): string {
  return context.replace("-against", "");
}

/** The contexts of a category that somebody typed for a judgment: the verdict, with the reward or against it. */
export function listTypedContexts(context: CategoryContext): readonly CategoryContext[] {
  return CATEGORY_CONTEXTS.filter((one) => stripAgainst(one) === stripAgainst(context));
}
