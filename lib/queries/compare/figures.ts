import "server-only";

import { LRUCache } from "lru-cache";

import type { CompareFilter } from "@/lib/addresses/compare";
import { type CompareFigures, computeFigures } from "@/lib/comparison";

import { type ChosenGroup, nameVersions } from "./groups";

/** By what was chosen and how it is compared. Versions are never used twice, so that no entry can be out of date. */
const kept = new LRUCache<string, CompareFigures, () => CompareFigures>({
  max: 40,
  memoMethod: (_key, _old, { context }) => context(),
});

/** Figures that need resampling, kept while the jobs stay as they are: sorting and choosing k then cost nothing. */
export function getFigures(
  chosen: readonly ChosenGroup[],
  key: string,
  filter: CompareFilter,
): CompareFigures {
  const name = JSON.stringify([nameVersions(chosen), key, filter.threshold, filter.missing, filter.tasks]);
  return kept.memo(name, { context: () => computeFigures(chosen, key, filter) });
}
