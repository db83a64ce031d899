import { isDeepStrictEqual } from "node:util";

import { ValidationError } from "@/lib/core/domain/app-error";
import { type Category, CATEGORY_LIMITS, foldLabel } from "@/lib/core/domain/codebook";
import { findNameProblem } from "@/lib/core/domain/name-problem";

import type { CodebookChange } from "./changes";
import { applyChange, type CodebookHistory, createShelf } from "./fold";

interface BrokenRule {
  readonly id: string | null;
  readonly message: string;
}

export function refuseBrokenChange(history: CodebookHistory, change: CodebookChange): void {
  const broken = findUnfit(history, change) ?? findBrokenRules(history, change)[0];
  if (broken !== undefined) throw new ValidationError(broken.message, {});
}

function findUnfit({ byId }: CodebookHistory, change: CodebookChange): BrokenRule | null {
  const unfit = (id: string | null, message: string): BrokenRule => ({ id, message });
  const wanted = listWanted(change);
  for (const { id, isLive } of wanted) {
    const found = byId.get(id);
    if (found === undefined) return unfit(id, "This category is not in the codebook.");
    if ((found.state === "live") !== isLive)
      return unfit(
        id,
        isLive
          ? `“${found.label}” is ${found.state}. Restore it first.`
          : `“${found.label}” is already available.`,
      );
  }
  if (change.kind === "edit" && isSaid(byId.get(change.id), change.text))
    return unfit(change.id, "Nothing changed: the category already says this.");
  if (change.kind === "merge" && change.ids.includes(change.into))
    return unfit(change.into, "A category cannot be merged into itself.");
  const added = change.kind === "add" ? change.categories : change.kind === "split" ? change.into : [];
  const ids = new Set<string>();
  for (const { id } of added) {
    if (byId.has(id) || ids.has(id)) return unfit(id, `The id ${id} belongs to another category.`);
    ids.add(id);
  }
  return null;
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

function listWanted(change: CodebookChange): readonly { readonly id: string; readonly isLive: boolean }[] {
  switch (change.kind) {
    case "merge":
      return [...change.ids, change.into].map((id) => ({ id, isLive: true }));
    case "edit":
    case "split":
    case "retire":
      return [{ id: change.id, isLive: true }];
    case "restore":
      return [{ id: change.id, isLive: false }];
    case "add":
    case "import":
    case "open-coding":
      return [];
  }
}

export function findBrokenRules(
  { codebook, byId }: CodebookHistory,
  change: CodebookChange,
): readonly BrokenRule[] {
  if (change.kind === "open-coding") return [];
  const shelf = createShelf(codebook.categories);
  applyChange(shelf, change, codebook.version + 1);
  const after = shelf.byId;
  const broken: BrokenRule[] = [];
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
  const below = findCircles(changed, ({ parentId }) => (parentId === null ? [] : [parentId]), after);
  const circling = findCircles(changed, followFate, after);
  for (const category of changed) {
    const { id, label, state } = category;
    const isTaken = state === "live" && names.has(foldLabel(label));
    if (state === "live") names.set(foldLabel(label), id);
    const message =
      (isRenamed(byId.get(id), label) ? findNameProblem(label) : null) ??
      (isTaken ? `There is already a category “${label}”.` : describeCircle(category, { below, circling })) ??
      findLoose(after, category);
    if (message !== null) broken.push({ id, message });
  }
  return broken;
}

function isRenamed(before: Category | undefined, label: string): boolean {
  return before?.label !== label;
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

function findLoose(
  all: ReadonlyMap<string, Category>,
  { label, parentId, state, successors }: Category,
): string | null {
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

function followFate({ state, successors }: Category): readonly string[] {
  return state === "merged" || state === "split" ? successors : [];
}

/** Returns ids from which `follow` reaches a cycle. Visits each category once. */
function findCircles(
  from: readonly Category[],
  follow: (category: Category) => readonly string[],
  all: ReadonlyMap<string, Category>,
): ReadonlySet<string> {
  const state = new Map<string, "open" | "ending" | "circling">();
  for (const start of from) {
    const path: { readonly id: string; readonly next: Iterator<string, undefined>; isCircling: boolean }[] =
      [];
    const enter = (id: string) => {
      const category = all.get(id);
      if (category === undefined) return;
      state.set(id, "open");
      path.push({ id, next: follow(category).values(), isCircling: false });
    };
    if (!state.has(start.id)) enter(start.id);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const step: IteratorResult<string, undefined> = last.next.next();
      if (step.done === true) {
        path.pop();
        state.set(last.id, last.isCircling ? "circling" : "ending");
        const before = path.at(-1);
        if (before !== undefined && last.isCircling) before.isCircling = true;
      } else {
        const known = state.get(step.value);
        if (known === undefined) enter(step.value);
        else if (known !== "ending") last.isCircling = true;
      }
    }
  }
  return new Set([...state].flatMap(([id, one]) => (one === "circling" ? id : [])));
}
