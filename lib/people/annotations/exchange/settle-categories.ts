import { type Category, foldLabel } from "@/lib/core/domain/codebook";

import { type CodebookHistory, followMerges, resolveLabel } from "../codebook/fold";

/** Categories of a line. Its version belongs to the exporting store and has no meaning here. */
export interface StatedCategories {
  readonly categories: readonly string[];
  readonly category_ids?: readonly (string | null)[] | null | undefined;
  readonly codebook_version: number | null;
}

export function settleCategories(history: CodebookHistory, stated: StatedCategories) {
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
