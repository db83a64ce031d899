import { CATEGORY_CONTEXTS, type CategoryContext } from "./review";

/** Names of colour tokens. A colour is an identity, never a verdict. */
export const CATEGORY_COLOURS = ["blue", "orange", "purple", "green", "grey"] as const;

export type CategoryColour = (typeof CATEGORY_COLOURS)[number];

export interface CategoryText {
  readonly label: string;
  readonly definition: string;
  readonly example: string;
  readonly counterExample: string;
  readonly colour: CategoryColour | null;
  readonly parentId: string | null;
  readonly contexts: readonly CategoryContext[];
}

export interface Category extends CategoryText {
  readonly id: string;
  /** Digit that toggles it with Shift, never changed; null if its contexts already use all nine. */
  readonly key: number | null;
  /** Judgments of a `merged` category count for `successors[0]`; those of a `split` one wait to be judged again. */
  readonly state: "live" | "merged" | "split" | "retired";
  readonly successors: readonly string[];
  readonly since: number;
}

export const CATEGORY_LIMITS = { label: 80, text: 2_000, categories: 10_000 } as const;

export interface Codebook {
  readonly version: number;
  readonly categories: readonly Category[];
  readonly isOpenCoding: boolean;
}

export function foldLabel(label: string): string {
  return label.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

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

/** Assigns the preferred digit, else the lowest that no live category of the same verdict has; null if all nine are taken. */
export function createShortcutAllocator(
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

export function listTypedContexts(context: CategoryContext): readonly CategoryContext[] {
  return CATEGORY_CONTEXTS.filter((one) => stripAgainst(one) === stripAgainst(context));
}
