import { type Category, foldLabel } from "@/lib/domain/codebook";

import { type CodebookHistory, followMerges, resolveLabel } from "../codebook/fold";

/** Categories as a line states them. Its version counts the changes of the store that it comes from, and says nothing here. */
export interface StatedCategories {
  readonly categories: readonly string[];
  readonly category_ids?: readonly (string | null)[] | null | undefined;
  readonly codebook_version: number | null;
}

export interface SettledCategories {
  readonly labels: readonly string[];
  /** Of the codebook of here; null where the line states none. */
  readonly version: number | null;
  /** Labels that never meant here what their ids mean, and are stored as the names that those have. */
  readonly nRenamed: number;
}

/** Finds labels and a version that mean here what the ids of a line say, as far as they are known here. */
export function settleCategories(history: CodebookHistory, stated: StatedCategories): SettledCategories {
  const meant = listMeant(history, stated);
  const version = findVersion(history, stated.categories, { meant, stated: stated.codebook_version });
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

/** Whether a line states the categories that are stored, by whatever names. */
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

function listMeant(history: CodebookHistory, { categories, category_ids: ids }: StatedCategories) {
  return categories.map((_, at) => {
    const id = ids?.[at] ?? null;
    return id === null ? null : followMerges(history.byId, id);
  });
}

/** A version at which all labels mean their categories: the stated one where it is one of here, else the last one. */
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
