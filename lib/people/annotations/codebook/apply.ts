import { type Category, createShortcutAllocator } from "@/lib/core/domain/codebook";

import type { CodebookChange, ImportedCategory } from "./changes";

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
