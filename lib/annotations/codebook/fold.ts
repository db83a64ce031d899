import { type Category, type Codebook, foldLabel } from "@/lib/domain/codebook";

import { applyChange, createShelf, type Shelf } from "./apply";
import type { CodebookChange } from "./changes";
import { STARTERS } from "./starters";

export interface StoredChange {
  readonly version: number;
  readonly author: string;
  /** UTC, ISO 8601. */
  readonly createdAt: string;
  readonly change: CodebookChange;
}

/** What a name meant from a version on. */
interface Naming {
  readonly since: number;
  readonly id: string;
}

export interface CodebookHistory {
  readonly codebook: Codebook;
  readonly byId: ReadonlyMap<string, Category>;
  readonly changes: readonly StoredChange[];
  /** Meanings of each folded name, the oldest first. */
  readonly namings: ReadonlyMap<string, readonly Naming[]>;
  /** Says which change cannot be read, before which the codebook stands still; null when all can. */
  readonly problem: string | null;
}

export const FIRST_CODEBOOK: CodebookHistory = toHistory({
  shelf: createShelf(STARTERS),
  changes: [],
  namings: new Map(STARTERS.map(({ id, label }) => [foldLabel(label), [{ since: 0, id }]])),
  isOpenCoding: false,
});

/**
 * Folds changes, in the order of their versions, into the codebook.
 *
 * @param known - the codebook that they follow
 */
export function foldCodebook(
  changes: readonly StoredChange[],
  known: CodebookHistory = FIRST_CODEBOOK,
): CodebookHistory {
  const shelf = createShelf(known.codebook.categories);
  const namings = new Map(known.namings);
  let { isOpenCoding } = known.codebook;
  for (const { version, change } of changes) {
    if (change.kind === "open-coding") isOpenCoding = change.isOn;
    else
      for (const { id, label, state } of applyChange(shelf, change, version)) {
        const folded = foldLabel(label);
        const before = namings.get(folded) ?? [];
        // What nobody can choose takes no name from what can be chosen.
        if (state === "live" || before.length === 0) namings.set(folded, [...before, { since: version, id }]);
      }
  }
  return toHistory({ shelf, changes: [...known.changes, ...changes], namings, isOpenCoding });
}

function toHistory({
  shelf: { byId },
  changes,
  namings,
  isOpenCoding,
}: Pick<CodebookHistory, "changes" | "namings"> &
  Pick<Codebook, "isOpenCoding"> & { readonly shelf: Shelf }): CodebookHistory {
  const version = changes.at(-1)?.version ?? 0;
  const codebook = { version, categories: [...byId.values()], isOpenCoding };
  return { codebook, byId, changes, namings, problem: null };
}

/**
 * Finds the category that a judgment's label stood for, followed through merges. Null for a label that no codebook had.
 *
 * @param version - of the codebook that the judgment was saved with; null where there was none yet
 */
export function resolveLabel(
  { byId, namings }: Pick<CodebookHistory, "byId" | "namings">,
  label: string,
  version: number | null,
): Category | null {
  const meanings = namings.get(foldLabel(label)) ?? [];
  const meant =
    version === null ? meanings[0] : (meanings.findLast(({ since }) => since <= version) ?? meanings[0]);
  return meant === undefined ? null : followMerges(byId, meant.id);
}

/**
 * Finds the category that a typed label stands for, whenever it was typed: of all that ever had the name, followed through merges, the
 * last one that can be chosen, else the last one. Null for a label that no codebook had.
 */
export function findTyped(
  { byId, namings }: Pick<CodebookHistory, "byId" | "namings">,
  label: string,
): Category | null {
  const meant = (namings.get(foldLabel(label)) ?? []).flatMap(({ id }) => followMerges(byId, id) ?? []);
  return meant.findLast(({ state }) => state === "live") ?? meant.at(-1) ?? null;
}

/** The category that judgments of `id` count for today; null without such a category. */
export function followMerges(byId: CodebookHistory["byId"], id: string): Category | null {
  let category = byId.get(id);
  // A merge of a merge, at most once each.
  for (let left = byId.size; category?.state === "merged" && left > 0; left--)
    category = byId.get(category.successors[0] ?? "");
  return category ?? null;
}

export interface TodaysCategory {
  /** Null for a label that no codebook had. */
  readonly id: string | null;
  /** Its name today; as it was saved where no codebook had it. */
  readonly label: string;
  readonly state: Category["state"] | "unlisted";
}

/** What a judgment's categories are today, each once, in the order of their labels: renamed, merged, or split and to be chosen again. */
export function mapForward(
  history: Pick<CodebookHistory, "byId" | "namings">,
  judgment: { readonly categories: readonly string[]; readonly codebookVersion: number | null },
): readonly TodaysCategory[] {
  const today = new Map<string, TodaysCategory>();
  for (const stored of judgment.categories) {
    const category = resolveLabel(history, stored, judgment.codebookVersion);
    if (category === null)
      today.set(`label ${foldLabel(stored)}`, { id: null, label: stored, state: "unlisted" });
    else today.set(`id ${category.id}`, category);
  }
  return [...today.values()].map(({ id, label, state }) => ({ id, label, state }));
}
