import { randomUUID } from "node:crypto";

import { ValidationError } from "@/lib/core/domain/app-error";
import { type Category, CATEGORY_LIMITS, foldLabel, listTypedContexts } from "@/lib/core/domain/codebook";
import type { CategoryContext } from "@/lib/core/domain/review";

import { BARE_CATEGORY, type CodebookHistory, followMerges, resolveLabel } from "../codebook/fold";
import { insertChange } from "../codebook/verbs";
import type { AnnotationDb } from "../tables";
import type { StatedCategories } from "./parse-line";

export function settleCategories(history: CodebookHistory, stated: StatedCategories) {
  const meant = listMeant(history, stated);
  const version = findVersion(history, stated.categories, { meant, stated: stated.codebookVersion });
  if (version !== undefined) return { labels: stated.categories, version, nRenamed: 0 };
  const today = history.codebook.version;
  const renamed = stated.categories.map((label, at) => {
    const category = meant[at] ?? null;
    return category === null || resolveLabel(history, label, today)?.id === category.id
      ? label
      : category.label;
  });
  return {
    labels: renamed,
    version: findVersion(history, renamed, { meant, stated: today }) ?? today,
    nRenamed: renamed.filter((label, at) => label !== stated.categories[at]).length,
  };
}

export function isSettled(
  history: CodebookHistory,
  stored: { readonly categories: readonly string[]; readonly codebookVersion: number | null },
  stated: StatedCategories,
): boolean {
  if (stored.categories.length !== stated.categories.length) return false;
  const meant = listMeant(history, stated);
  return stored.categories.every((label, at) => {
    if (label === stated.categories[at]) return true;
    const category = meant[at] ?? null;
    return category !== null && resolveLabel(history, label, stored.codebookVersion)?.id === category.id;
  });
}

function listMeant(history: CodebookHistory, { categories, categoryIds: ids }: StatedCategories) {
  return categories.map((_, at) => {
    const id = ids?.[at] ?? null;
    return id === null ? null : followMerges(history.byId, id);
  });
}

/** Returns a version where all labels have these meanings: the given one if local, else the last one. */
function findVersion(
  { codebook, byId, namings }: CodebookHistory,
  labels: readonly string[],
  { meant, stated }: { readonly meant: readonly (Category | null)[]; readonly stated: number | null },
): number | null | undefined {
  const given = stated === null ? null : Math.min(stated, codebook.version);
  const fits = (version: number | null) =>
    labels.every((label, at) => {
      const category = meant[at] ?? null;
      return category === null || resolveLabel({ byId, namings }, label, version)?.id === category.id;
    });
  if (fits(given)) return given;
  const named = labels.flatMap((label) => namings.get(foldLabel(label)) ?? []).map(({ since }) => since);
  return [codebook.version, ...new Set(named)].toSorted((a, b) => b - a).find(fits);
}

interface NewCategory {
  readonly id: string;
  readonly label: string;
  readonly contexts: CategoryContext[];
}

export type MissingCategories = ReturnType<typeof findMissingCategories>;

/** Returns none if the codebook is not fully readable. */
export function findMissingCategories(
  history: CodebookHistory,
  named: readonly { readonly stated: StatedCategories; readonly context: CategoryContext }[],
) {
  const added = new Map<string, NewCategory>();
  const renamed: NewCategory[] = [];
  const seen = new Set<string>();
  const ids = new Set(history.codebook.categories.map(({ id }) => id));
  const inOrder = named.toSorted((a, b) => (a.stated.codebookVersion ?? 0) - (b.stated.codebookVersion ?? 0));
  for (const { stated, context } of history.problem === null ? inOrder : [])
    for (const [at, label] of stated.categories.entries()) {
      // Null if no codebook knew the label; lines of earlier releases have no ids.
      const id = stated.categoryIds == null ? randomUUID() : stated.categoryIds[at];
      const folded = foldLabel(label);
      if (id == null || folded === "" || seen.has(folded)) continue;
      seen.add(folded);
      if (resolveLabel(history, label, stated.codebookVersion ?? 0) !== null || ids.has(id)) continue;
      const category = { id, label, contexts: [...listTypedContexts(context)] };
      if (added.has(id)) renamed.push(category);
      else added.set(id, category);
    }
  if (added.size > 0 && history.codebook.categories.length + added.size > CATEGORY_LIMITS.categories)
    throw new ValidationError(
      `The judgments name ${added.size.toLocaleString("en-US")} new categories. A codebook has at most ${CATEGORY_LIMITS.categories.toLocaleString("en-US")}.`,
      {},
    );
  return { added: [...added.values()], renamed };
}

export async function addCategories(
  db: AnnotationDb,
  { added, renamed }: MissingCategories,
  { author, now }: { readonly author: string; readonly now: Date },
): Promise<void> {
  if (added.length === 0) return;
  const categories = added.map((one) => ({ ...BARE_CATEGORY, ...one }));
  await insertChange(db, { kind: "add", categories }, author, now);
  for (const { id, ...said } of renamed)
    await insertChange(db, { kind: "edit", id, text: { ...BARE_CATEGORY, ...said } }, author, now);
}
