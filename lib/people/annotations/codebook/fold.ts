import { type Category, type Codebook, createShortcutAllocator, foldLabel } from "@/lib/core/domain/codebook";

import type { CodebookChange, ImportedCategory } from "./changes";
import { STARTERS } from "./starters";

export interface Shelf {
  readonly byId: Map<string, Category>;
  readonly keyed: Set<string>;
}

export function createShelf(categories: readonly Category[]): Shelf {
  const shelf: Shelf = { byId: new Map(), keyed: new Set() };
  for (const category of categories) put(shelf, category);
  return shelf;
}

function put({ byId, keyed }: Shelf, category: Category): void {
  byId.set(category.id, category);
  if (category.state === "live" && category.key !== null) keyed.add(category.id);
  else keyed.delete(category.id);
}

function giveKeys({ byId, keyed }: Shelf, without: string | null = null) {
  return createShortcutAllocator([...keyed].flatMap((id) => (id === without ? [] : (byId.get(id) ?? []))));
}

type CategoryChange = Exclude<CodebookChange, { kind: "open-coding" }>;
type Added = Extract<CodebookChange, { kind: "add" }>["categories"];

export function applyChange(shelf: Shelf, change: CategoryChange, version: number): readonly Category[] {
  const patch = (id: string, values: Partial<Category>): readonly Category[] => {
    const before = shelf.byId.get(id);
    if (before === undefined) return [];
    const after = { ...before, ...values };
    put(shelf, after);
    return [after];
  };
  switch (change.kind) {
    case "add":
      return add(shelf, change.categories, version);
    case "edit": {
      const key = shelf.byId.get(change.id)?.key ?? null;
      // Keeps its digit unless another category has it in a newly added context.
      return patch(change.id, { ...change.text, key: giveKeys(shelf, change.id)(change.text.contexts, key) });
    }
    case "merge":
      for (const id of change.ids) patch(id, { state: "merged", successors: [change.into] });
      return [];
    case "split": {
      const added = add(shelf, change.into, version);
      patch(change.id, { state: "split", successors: change.into.map(({ id }) => id) });
      return added;
    }
    case "retire":
      patch(change.id, { state: "retired" });
      return [];
    case "restore": {
      const before = shelf.byId.get(change.id);
      const key = giveKeys(shelf)(before?.contexts ?? [], before?.key);
      return patch(change.id, { state: "live", successors: [], key });
    }
    case "import":
      return putAll(shelf, change.categories, version);
  }
}

function add(shelf: Shelf, added: Added, version: number): readonly Category[] {
  const giveKey = giveKeys(shelf);
  return added.map((text) => {
    const category: Category = {
      ...text,
      key: giveKey(text.contexts),
      state: "live",
      successors: [],
      since: version,
    };
    put(shelf, category);
    return category;
  });
}

function putAll(shelf: Shelf, imported: readonly ImportedCategory[], version: number): readonly Category[] {
  const isKnown = new Set(imported.flatMap(({ id }) => (shelf.byId.has(id) ? [id] : [])));
  // New ones first, to keep the order of the file.
  for (const one of imported)
    if (!isKnown.has(one.id)) shelf.byId.set(one.id, { ...one, key: null, since: version });
  const inTurn = imported.toSorted((a, b) => Number(a.key === null) - Number(b.key === null));
  const putOne = (one: ImportedCategory, giveKey: ReturnType<typeof giveKeys>): Category => {
    const before = shelf.byId.get(one.id);
    const preferred = before?.key ?? one.key;
    const key = one.state === "live" ? giveKey(one.contexts, preferred) : preferred;
    const category = { ...one, key, since: before?.since ?? version };
    put(shelf, category);
    return category;
  };
  const known = inTurn.filter(({ id }) => isKnown.has(id)).map((one) => putOne(one, giveKeys(shelf, one.id)));
  const giveKey = giveKeys(shelf);
  const added = inTurn.filter(({ id }) => !isKnown.has(id)).map((one) => putOne(one, giveKey));
  return [...known, ...added].toSorted((a, b) => Number(a.state === "live") - Number(b.state === "live"));
}

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
