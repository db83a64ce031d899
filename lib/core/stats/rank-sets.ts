import { TIE, computeMeanDifference, testDifference } from "./difference-bounds";
import { computeTQuantile } from "./distributions";
import { ERROR_RATE } from "./rate-interval";
import { type MissingRule, type TaskValues, applyMissingRule, computeMean } from "./task-values";

export interface RankSet {
  /** One more than the number of clearly better groups; 1 for a group that can be the best. */
  readonly low: number;
  /** The number of groups minus the clearly worse ones. */
  readonly high: number;
  /** Groups without a comparison: no common task, a single one, or no variation. */
  readonly nUncompared: number;
}

export type RankSets = ReturnType<typeof computeRankSets>;

interface GroupMeans {
  /** By index of the task; NaN where the group has none. */
  readonly means: Float64Array;
  readonly isRate: boolean;
}

/**
 * Computes rank sets from multiple comparisons with the best. Group i can be the best where `min over j of (mean_i - mean_j + d *
 * error_ij)` is at least 0: no other group is clearly better. Each pair is compared on its common tasks, each task weighing the
 * same. d covers the n - 1 comparisons of one group (Bonferroni), since only those of the best group have to hold jointly. Each
 * side has 0.025, as in a two-sided comparison at 0.05, so that rank sets and pair verdicts agree. Each rank set holds at 0.95. A
 * pair that cannot be compared excludes no rank.
 * @param groups - values by task, null for a missing one
 * @see Hsu, "Multiple Comparisons: Theory and Methods" (1996), section 4.2, with Bonferroni's inequality for the multivariate t;
 * Mogstad, Romano, Shaikh and Wilhelm, "Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
 * Achievement across Countries" (2024), ranks of one group
 */
export function computeRankSets(
  groups: readonly (readonly TaskValues[])[],
  options: { readonly missing: MissingRule },
) {
  const places = new Map<string, number>();
  for (const { task } of groups.flat()) if (!places.has(task)) places.set(task, places.size);
  const means = groups.map((tasks) => computeGroupMeans(tasks, places, options.missing));
  const n = groups.length;
  const error = ERROR_RATE / Math.max(1, n - 1);
  const reaches = new Map<number, number>();
  const findReach = (nTasks: number): number => {
    const reach = reaches.get(nTasks) ?? computeTQuantile(1 - error / 2, Math.max(1, nTasks - 1));
    reaches.set(nTasks, reach);
    return reach;
  };
  const counts = means.map(() => ({ nBetter: 0, nWorse: 0, nCompared: 0 }));
  let nPairs = 0;
  for (const [at, first] of means.entries())
    for (let other = at + 1; other < n; other++) {
      const second = means[other];
      const [own, versus] = [counts[at], counts[other]];
      if (second === undefined || own === undefined || versus === undefined) continue;
      const order = comparePair(first, second, error, findReach);
      if (order === null) continue;
      nPairs += 1;
      for (const count of [own, versus]) count.nCompared += 1;
      if (order === 0) continue;
      const [better, worse] = order > 0 ? [own, versus] : [versus, own];
      better.nWorse += 1;
      worse.nBetter += 1;
    }
  return {
    kind: "computed",
    ranks: counts.map(({ nBetter, nWorse, nCompared }) => ({
      low: 1 + nBetter,
      high: n - nWorse,
      nUncompared: n - 1 - nCompared,
    })),
    /** Compared pairs, out of n (n - 1) / 2. */
    nPairs,
    /** Lower bound of the share of samples in which the groups with `low` 1 include the best one. */
    levelOfBest: 1 - ERROR_RATE / 2,
    method: "bonferroni",
  } as const;
}

function computeGroupMeans(
  tasks: readonly TaskValues[],
  places: ReadonlyMap<string, number>,
  missing: MissingRule,
): GroupMeans {
  const { tasks: complete } = applyMissingRule(tasks, missing);
  const values = complete.flatMap((task) => task.values);
  const means = new Float64Array(places.size).fill(Number.NaN);
  if (values.every(Number.isFinite))
    for (const task of complete) means[places.get(task.task) ?? -1] = computeMean(task.values);
  return { means, isRate: values.every((value) => value >= 0 && value <= 1) };
}

/** Returns the sign of a clear difference, 0 for none; null where the two cannot be compared. */
function comparePair(
  first: GroupMeans,
  second: GroupMeans,
  error: number,
  findReach: (nTasks: number) => number,
): number | null {
  const differences: number[] = [];
  for (const [at, mean] of first.means.entries()) {
    const difference = mean - (second.means[at] ?? Number.NaN);
    if (!Number.isNaN(difference)) differences.push(difference);
  }
  if (differences.length === 0) return null;
  const isRate = first.isRate && second.isRate;
  const tested = testDifference(differences, { isRate, error, reach: findReach(differences.length) });
  if (tested.kind === "unavailable") return null;
  if (!tested.isClear) return 0;
  const difference = computeMeanDifference(differences);
  return Math.abs(difference) > TIE ? Math.sign(difference) : 0;
}
