import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { ValidationError } from "@/lib/core/domain/app-error";
import {
  CATEGORY_COLOURS,
  CATEGORY_LIMITS,
  type Category,
  type Codebook,
  createShortcutAllocator,
  foldLabel,
} from "@/lib/core/domain/codebook";
import { findNameProblem } from "@/lib/core/domain/name-problem";
import { CATEGORY_CONTEXTS } from "@/lib/core/domain/review";
import { sumBy } from "@/lib/core/domain/sum-by";

import { STARTERS } from "./starters";

const line = z.string().transform((text) => text.toWellFormed().normalize("NFC").replace(/\s+/g, " ").trim());

const label = line.pipe(
  z
    .string()
    .min(1, "A category needs a name.")
    .max(CATEGORY_LIMITS.label, `At most ${String(CATEGORY_LIMITS.label)} characters.`),
);

const text = z
  .string()
  .max(CATEGORY_LIMITS.text, `At most ${CATEGORY_LIMITS.text.toLocaleString("en-US")} characters.`)
  .transform((given) => given.toWellFormed().replace(/\r\n?/g, "\n").trim());

const id = z.string().min(1).max(100);

const categoryTextSchema = z.object({
  label,
  definition: text.default(""),
  example: text.default(""),
  counterExample: text.default(""),
  colour: z.enum(CATEGORY_COLOURS).nullable().default(null),
  parentId: id.nullable().default(null),
  contexts: z.array(z.enum(CATEGORY_CONTEXTS)).min(1, "Choose at least one verdict to offer it for."),
});

/** A category with nothing but a name. */
export const BARE_CATEGORY = {
  ...{ definition: "", example: "", counterExample: "" },
  ...{ colour: null, parentId: null },
};

const newCategory = categoryTextSchema.extend({ id });

export const importedCategorySchema = newCategory.extend({
  state: z.enum(["live", "merged", "split", "retired"]).default("live"),
  successors: z.array(id).max(1_000).default([]),
  key: z.int().min(1).max(9).nullable().default(null),
});

export type ImportedCategory = z.output<typeof importedCategorySchema>;

/**
 * `merge` makes judgments of `ids` count for `into`. After `split`, people choose again between `into`. `open-coding` sets whether
 * reviewers only write notes.
 */
export const changeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("add"),
    categories: z.array(newCategory).min(1).max(CATEGORY_LIMITS.categories),
  }),
  z.object({ kind: z.literal("edit"), id, text: categoryTextSchema }),
  z.object({ kind: z.literal("merge"), ids: z.array(id).min(1).max(1_000), into: id }),
  z.object({ kind: z.literal("split"), id, into: z.array(newCategory).min(2).max(20) }),
  z.object({ kind: z.literal("retire"), id }),
  z.object({ kind: z.literal("restore"), id }),
  z.object({ kind: z.literal("open-coding"), isOn: z.boolean() }),
  z.object({
    kind: z.literal("import"),
    categories: z.array(importedCategorySchema).min(1).max(CATEGORY_LIMITS.categories),
  }),
]);

export type CodebookChange = z.output<typeof changeSchema>;

export function listTouched(change: CodebookChange): readonly string[] {
  if (change.kind === "open-coding") return [];
  if (change.kind === "add" || change.kind === "import") return change.categories.map(({ id: own }) => own);
  if (change.kind === "merge") return [...change.ids, change.into];
  if (change.kind === "split") return [change.id, ...change.into.map(({ id: own }) => own)];
  return [change.id];
}

interface Shelf {
  readonly byId: Map<string, Category>;
  readonly keyed: Set<string>;
}

function createShelf(categories: readonly Category[]): Shelf {
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

function applyChange(shelf: Shelf, change: CategoryChange, version: number): readonly Category[] {
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

export interface CodebookHistory {
  readonly codebook: Codebook;
  readonly byId: ReadonlyMap<string, Category>;
  readonly changes: readonly StoredChange[];
  readonly namings: ReadonlyMap<string, readonly { readonly since: number; readonly id: string }[]>;
  /** Names the first unreadable change, where folding stops. */
  readonly problem: string | null;
}

export const FIRST_CODEBOOK: CodebookHistory = toHistory({
  shelf: createShelf(STARTERS),
  changes: [],
  namings: new Map(STARTERS.map(({ id, label }) => [foldLabel(label), [{ since: 0, id }]])),
  isOpenCoding: false,
});

export function foldCodebook(changes: readonly StoredChange[], known: CodebookHistory = FIRST_CODEBOOK) {
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
export function findTyped({ byId, namings }: Pick<CodebookHistory, "byId" | "namings">, label: string) {
  const meant = (namings.get(foldLabel(label)) ?? []).flatMap(({ id }) => followMerges(byId, id) ?? []);
  return meant.findLast(({ state }) => state === "live") ?? meant.at(-1) ?? null;
}

export function followMerges(byId: CodebookHistory["byId"], id: string): Category | null {
  let category = byId.get(id);
  for (let left = byId.size; category?.state === "merged" && left > 0; left--)
    category = byId.get(category.successors[0] ?? "");
  return category ?? null;
}

export function mapForward(
  history: Pick<CodebookHistory, "byId" | "namings">,
  judgment: { readonly categories: readonly string[]; readonly codebookVersion: number | null },
) {
  const today = judgment.categories.map((label) => {
    const category = resolveLabel(history, label, judgment.codebookVersion);
    return category === null
      ? { id: null, label, state: "unlisted" as const }
      : { id: category.id, label: category.label, state: category.state };
  });
  return [...new Map(today.map((one) => [one.id ?? `label ${foldLabel(one.label)}`, one])).values()];
}

export function refuseBrokenChange(history: CodebookHistory, change: CodebookChange): void {
  const problem = findUnfit(history, change) ?? findBrokenRules(history, change)[0]?.message;
  if (problem !== undefined) throw new ValidationError(problem, {});
}

function findUnfit({ byId }: CodebookHistory, change: CodebookChange): string | undefined {
  const wanted = listWanted(change).map((id) => findUnfitState(byId.get(id), change.kind));
  const problem = wanted.find((message) => message !== undefined);
  if (problem !== undefined) return problem;
  if (change.kind === "edit" && isSaid(byId.get(change.id), change.text))
    return "Nothing changed: the category already says this.";
  if (change.kind === "merge" && change.ids.includes(change.into))
    return "A category cannot be merged into itself.";
  const added = change.kind === "add" ? change.categories : change.kind === "split" ? change.into : [];
  const ids = new Set<string>();
  for (const { id } of added) {
    if (byId.has(id) || ids.has(id)) return `The id ${id} belongs to another category.`;
    ids.add(id);
  }
  return undefined;
}

function findUnfitState(found: Category | undefined, kind: CodebookChange["kind"]): string | undefined {
  if (found === undefined) return "This category is not in the codebook.";
  const { label, state } = found;
  if (kind === "restore") return state === "live" ? `“${label}” is already available.` : undefined;
  return state === "live" ? undefined : `“${label}” is ${state}. Restore it first.`;
}

function isSaid(category: Category | undefined, text: Extract<CodebookChange, { kind: "edit" }>["text"]) {
  if (category === undefined) return false;
  const said = Object.keys(text) as (keyof typeof text)[]; // The change is checked, so it has no other keys.
  return said.every((name) =>
    name === "contexts"
      ? isDeepStrictEqual(category.contexts.toSorted(), text.contexts.toSorted())
      : category[name] === text[name],
  );
}

function listWanted(change: CodebookChange): readonly string[] {
  if (change.kind === "add" || change.kind === "import") return [];
  return change.kind === "split" ? [change.id] : listTouched(change);
}

export function findBrokenRules({ codebook, byId }: CodebookHistory, change: CodebookChange) {
  const broken: { readonly id: string | null; readonly message: string }[] = [];
  if (change.kind === "open-coding") return broken;
  const shelf = createShelf(codebook.categories);
  applyChange(shelf, change, codebook.version + 1);
  const after = shelf.byId;
  if (after.size > Math.max(CATEGORY_LIMITS.categories, byId.size))
    broken.push({
      id: null,
      message: `A codebook has at most ${CATEGORY_LIMITS.categories.toLocaleString("en-US")} categories.`,
    });
  const all = [...after.values()];
  const isChanged = (category: Category) => byId.get(category.id) !== category;
  const changed = all.filter(isChanged);
  const names = new Map<string, string>();
  for (const category of all)
    if (category.state === "live" && !isChanged(category)) names.set(foldLabel(category.label), category.id);
  const below = findCircles(after, ({ parentId }) => (parentId === null ? [] : [parentId]));
  const circling = findCircles(after, ({ state, successors }) =>
    state === "merged" || state === "split" ? successors : [],
  );
  for (const category of changed) {
    const { id, label, state } = category;
    const isTaken = state === "live" && names.has(foldLabel(label));
    if (state === "live") names.set(foldLabel(label), id);
    const message =
      findNewNameProblem(byId.get(id), label) ??
      (isTaken ? `There is already a category “${label}”.` : describeCircle(category, { below, circling })) ??
      findLoose(after, category);
    if (message !== null) broken.push({ id, message });
  }
  return broken;
}

function findNewNameProblem(before: Category | undefined, label: string): string | null {
  return before?.label === label ? null : findNameProblem(label);
}

function describeCircle(
  { id, label, state }: Category,
  { below, circling }: { readonly below: ReadonlySet<string>; readonly circling: ReadonlySet<string> },
): string | null {
  if (below.has(id)) return `“${label}” cannot be below itself.`;
  return circling.has(id)
    ? `“${label}” cannot become itself, but it was ${state} into categories that become it again. Remove one of these steps from the file.`
    : null;
}

function findLoose(all: ReadonlyMap<string, Category>, { label, parentId, state, successors }: Category) {
  if (parentId !== null && !all.has(parentId)) return `The category above “${label}” is not in the codebook.`;
  if (state === "merged" && successors.length !== 1)
    return `“${label}” is merged, but not into one category.`;
  if (state === "split" && successors.length < 2)
    return `“${label}” is split, but not into two categories or more.`;
  if ((state === "live" || state === "retired") && successors.length > 0)
    return `“${label}” is ${state}, but became other categories.`;
  return successors.every((one) => all.has(one))
    ? null
    : `A category that “${label}” became is not in the codebook.`;
}

/** Returns ids from which `follow` reaches a cycle: those that stay when all that end are removed, one after the other. */
function findCircles(all: ReadonlyMap<string, Category>, follow: (category: Category) => readonly string[]) {
  const steps = [...all.values()].flatMap((category) =>
    follow(category).flatMap((to) => (all.has(to) ? { from: category.id, to } : [])),
  );
  const before = Map.groupBy(steps, ({ to }) => to);
  const nLeft = new Map(sumBy(steps, ({ from }) => from));
  const ending = [...all.keys()].filter((id) => !nLeft.has(id));
  for (const id of ending)
    for (const { from } of before.get(id) ?? []) {
      const n = (nLeft.get(from) ?? 0) - 1;
      nLeft.set(from, n);
      if (n === 0) ending.push(from);
    }
  return new Set([...nLeft].flatMap(([id, n]) => (n > 0 ? id : [])));
}
