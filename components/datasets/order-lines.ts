import { compareNames } from "@/lib/core/domain/compare-text";
import type { LeaderboardLine } from "@/lib/pages/datasets/leaderboard";

/** Sorts each section of rank-ordered lines by a column; missing values last, ties by rank; `rank` keeps the order. */
export function orderLines(
  lines: readonly LeaderboardLine[],
  { sort, descending }: { readonly sort: string; readonly descending: boolean },
): readonly LeaderboardLine[] {
  return [...Map.groupBy(lines, ({ state }) => state).values()].flatMap((section) => {
    if (sort === "rank") return descending ? section.toReversed() : section;
    const sign = descending ? -1 : 1;
    if (sort === "group") return section.toSorted((a, b) => sign * compareNames(a.label, b.label));
    return section.toSorted((a, b) => {
      const [first, second] = [a.values[sort] ?? null, b.values[sort] ?? null];
      if (first === null || second === null) return Number(first === null) - Number(second === null);
      return sign * (first - second);
    });
  });
}
