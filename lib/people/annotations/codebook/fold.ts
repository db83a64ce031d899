import { type Category, type Codebook, foldLabel } from "@/lib/core/domain/codebook";

import { applyChange, createShelf, type Shelf } from "./apply";
import type { CodebookChange } from "./changes";
import { STARTERS } from "./starters";

export interface StoredChange {
  readonly version: number;
  readonly author: string;
  readonly createdAt: string;
  readonly change: CodebookChange;
}

interface Naming {
  readonly since: number;
  readonly id: string;
}

export interface CodebookHistory {
  readonly codebook: Codebook;
  readonly byId: ReadonlyMap<string, Category>;
  readonly changes: readonly StoredChange[];
  readonly namings: ReadonlyMap<string, readonly Naming[]>;
  /** Names the first unreadable change, where folding stops. */
  readonly problem: string | null;
}

export const FIRST_CODEBOOK: CodebookHistory = toHistory({
  shelf: createShelf(STARTERS),
  changes: [],
  namings: new Map(STARTERS.map(({ id, label }) => [foldLabel(label), [{ since: 0, id }]])),
  isOpenCoding: false,
});

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
        // A category that cannot be selected never takes a name from one that can.
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

/** Resolves a typed label after merges. Prefers a live category, else the last with that name; null if unknown. */
export function findTyped(
  { byId, namings }: Pick<CodebookHistory, "byId" | "namings">,
  label: string,
): Category | null {
  const meant = (namings.get(foldLabel(label)) ?? []).flatMap(({ id }) => followMerges(byId, id) ?? []);
  return meant.findLast(({ state }) => state === "live") ?? meant.at(-1) ?? null;
}

export function followMerges(byId: CodebookHistory["byId"], id: string): Category | null {
  let category = byId.get(id);
  for (let left = byId.size; category?.state === "merged" && left > 0; left--)
    category = byId.get(category.successors[0] ?? "");
  return category ?? null;
}

interface TodaysCategory {
  readonly id: string | null;
  readonly label: string;
  readonly state: Category["state"] | "unlisted";
}

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
