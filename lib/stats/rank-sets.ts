import { computeDifferenceP, computeMeanDifference, TIE } from "./difference-bounds";
import { adjustByHolm } from "./holm";
import { ERROR_RATE, LEVEL } from "./rate-interval";
import { applyMissingRule, computeMean } from "./task-values";
import type { MissingRule, TaskValues } from "./task-values";

/** The ranks that one group may have, 1 for the best. */
export interface RankSet {
  /** One more than the groups that are clearly better. */
  readonly low: number;
  /** How many groups there are, less those that are clearly worse. */
  readonly high: number;
  /** Other groups that it could not be compared with: no common task, one alone, or nothing that varies. */
  readonly nUncompared: number;
}

/** Ranks of groups by their means, as sets that hold for all groups together. */
export interface RankSets {
  readonly kind: "computed";
  /** In the order of the groups. */
  readonly ranks: readonly RankSet[];
  /** Pairs that were compared, of n (n - 1) / 2. */
  readonly nPairs: number;
  /** Share of samples in which every set holds the true rank of its group, at least. */
  readonly level: number;
  readonly method: "holm";
}

/** A pair with the one-sided p that speaks for the better one. */
interface ComparedPair {
  readonly better: number;
  readonly worse: number;
  readonly p: number;
}

/** A group's task means, and whether all its values lie in 0 to 1. */
interface GroupMeans {
  readonly means: ReadonlyMap<string, number>;
  readonly isRate: boolean;
}

/**
 * Which ranks the data allow each group: every pair is compared on the tasks that both have, each task weighing the same, and a rank
 * is left out only for groups that are better or worse at a family-wise error of 0.05 over both directions of all pairs (Holm).
 * What could not be compared leaves out no rank, so a single group has rank 1, and one that shares no task any rank.
 *
 * @param groups - values by task, null for a missing one
 * @see Mogstad, Romano, Shaikh and Wilhelm, "Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
 *   Achievement across Countries" (2024), section 3; Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (1979)
 */
export function computeRankSets(
  groups: readonly (readonly TaskValues[])[],
  options: { readonly missing: MissingRule },
): RankSets {
  const means = groups.map((tasks) => computeGroupMeans(tasks, options.missing));
  const n = groups.length;
  const pairs = means.flatMap((first, at) =>
    means.slice(at + 1).flatMap((second, offset) => comparePair(first, second, at, at + 1 + offset)),
  );
  const clear = rejectByHolm(pairs);
  const counts = Array.from({ length: n }, () => ({ nBetter: 0, nWorse: 0, nCompared: 0 }));
  for (const { better, worse } of pairs) {
    for (const count of [counts[better], counts[worse]]) if (count !== undefined) count.nCompared += 1;
  }
  for (const { better, worse } of clear) {
    const [winner, loser] = [counts[better], counts[worse]];
    if (winner !== undefined) winner.nWorse += 1;
    if (loser !== undefined) loser.nBetter += 1;
  }
  return {
    kind: "computed",
    ranks: counts.map(({ nBetter, nWorse, nCompared }) => ({
      low: 1 + nBetter,
      high: n - nWorse,
      nUncompared: n - 1 - nCompared,
    })),
    nPairs: pairs.length,
    level: LEVEL,
    method: "holm",
  };
}

function computeGroupMeans(tasks: readonly TaskValues[], missing: MissingRule): GroupMeans {
  const { tasks: complete } = applyMissingRule(tasks, missing);
  const values = complete.flatMap((task) => task.values);
  return {
    // Nothing can be said of a mean with an infinite value.
    means: new Map(
      values.every(Number.isFinite) ? complete.map((task) => [task.task, computeMean(task.values)]) : [],
    ),
    isRate: values.every((value) => value >= 0 && value <= 1),
  };
}

/** One entry; none where there is nothing to tell the two apart by. */
function comparePair(first: GroupMeans, second: GroupMeans, a: number, b: number): readonly ComparedPair[] {
  const differences = [...first.means].flatMap(([task, mean]) => {
    const other = second.means.get(task);
    return other === undefined ? [] : [mean - other];
  });
  if (differences.length === 0) return [];
  const compared = computeDifferenceP(differences, first.isRate && second.isRate);
  const difference = computeMeanDifference(differences);
  if (compared.kind === "unavailable") return [];
  const isTied = Math.abs(difference) <= TIE;
  const [better, worse] = difference >= 0 ? [a, b] : [b, a];
  return [{ better, worse, p: isTied ? 0.5 : compared.p / 2 }];
}

/** The pairs that Holm's procedure rejects over both directions; the other direction of each has a p of a half or more. */
function rejectByHolm(pairs: readonly ComparedPair[]): readonly ComparedPair[] {
  const adjusted = adjustByHolm([...pairs.map(({ p }) => p), ...pairs.map(({ p }) => 1 - p)]);
  return pairs.filter((_, at) => (adjusted[at] ?? 1) < ERROR_RATE);
}
