import { compareNames } from "@/lib/domain/compare-text";
import type { LeaderboardLine } from "@/lib/queries/datasets/leaderboard";

/**
 * The lines of a leaderboard by a column, each section by itself, as ranks belong to one alone. What has no value comes last either
 * way, and equal ones stay in the order of ranks.
 *
 * @param lines - in the order of ranks
 * @param sort - id of a column; `rank` and one that no line has a value of keep the order
 */
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
