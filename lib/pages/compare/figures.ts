import "server-only";
import { LRUCache } from "lru-cache";

import { type CompareFigures, computeFigures } from "@/lib/core/comparison";
import type { CompareFilter } from "@/lib/pages/compare/address";

import { type ChosenGroup, nameVersions } from "./groups";

/** Job versions are never reused, so no entry can be stale. */
const kept = new LRUCache<string, CompareFigures, () => CompareFigures>({
  max: 40,
  memoMethod: (_key, _old, { context }) => context(),
});

/** Caches figures that need resampling, so that sorting and choosing k cost nothing. */
export function getFigures(
  chosen: readonly ChosenGroup[],
  key: string,
  filter: CompareFilter,
): CompareFigures {
  const name = JSON.stringify([nameVersions(chosen), key, filter.threshold, filter.missing, filter.tasks]);
  return kept.memo(name, { context: () => computeFigures(chosen, key, filter) });
}
