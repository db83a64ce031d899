import { computeMeanInterval, type MeanInterval } from "./mean-interval";
import { computePairedComparison, type PairedComparison } from "./paired-comparison";
import { computeMean, type MissingRule, type TaskValues } from "./task-values";
import type { Unavailable } from "./unavailable";

export interface DimensionValues {
  /** One list per group: the tasks that have the dimension, null where a trial has no value. */
  readonly groups: readonly (readonly TaskValues[])[];
}

export interface DimensionStanding<Dimension> {
  readonly dimension: Dimension;
  readonly groups: readonly (MeanInterval | Unavailable)[];
  /** Unweighted mean of the groups' means; null where no group has a value. */
  readonly mean: number | null;
  readonly nTasks: number;
  /** The first group of the pair minus the second over their common tasks; null without a pair. */
  readonly difference: PairedComparison | Unavailable | null;
}

/**
 * Pools dimensions over tasks, worst first: means by group with intervals, and the paired difference of two groups. The intervals
 * and verdicts of the differences hold jointly over all dimensions. Dimensions without any value come last; ties keep the given
 * order.
 * @param options.pair - indices of the two compared groups
 * @see computeMeanInterval and computePairedComparison, for the methods and their refusals
 */
export function computeDimensionOverview<Dimension extends DimensionValues>(
  dimensions: readonly Dimension[],
  options: { readonly missing: MissingRule; readonly pair: readonly [number, number] | null },
): readonly DimensionStanding<Dimension>[] {
  const { missing, pair } = options;
  const nComparisons = Math.max(1, dimensions.length);
  const standings = dimensions.map((dimension) => {
    const groups = dimension.groups.map((tasks) => computeMeanInterval(tasks, { missing }));
    const means = groups.flatMap((group) => (group.kind === "computed" ? [group.mean] : []));
    const [first, second] = (pair ?? []).map((at) => dimension.groups[at] ?? []);
    return {
      dimension,
      groups,
      mean: means.length === 0 ? null : computeMean(means),
      nTasks: countTasks(dimension),
      difference:
        first === undefined || second === undefined
          ? null
          : computePairedComparison(first, second, { missing, nComparisons }),
    };
  });
  return standings.toSorted((a, b) => (a.mean ?? Infinity) - (b.mean ?? Infinity) || 0);
}

function countTasks({ groups }: DimensionValues): number {
  const known = groups.flatMap((tasks) =>
    tasks.filter(({ values }) => values.some((value) => value !== null)),
  );
  return new Set(known.map(({ task }) => task)).size;
}

/** A part of a weighted mean: the reached share of its maximum, 0 to 1, and its weight. */
export interface WeightedPart {
  readonly name: string;
  readonly share: number;
  readonly weight: number;
}

/**
 * Returns each dimension's share of the total loss, 0 to 1, where a trial's reward is the weighted mean of its parts. A loss is
 * weight times the distance to 1. Returns null where a trial's weights are not positive or nothing was lost.
 */
export function computeLossShares(
  trials: Iterable<readonly WeightedPart[]>,
): ReadonlyMap<string, number> | null {
  const lost = new Map<string, number>();
  let total = 0;
  for (const parts of trials) {
    const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
    if (!(weights > 0) || parts.some(({ weight, share }) => !(weight >= 0) || Number.isNaN(share)))
      return null;
    for (const { name, share, weight } of parts) {
      const loss = (weight / weights) * (1 - share);
      lost.set(name, (lost.get(name) ?? 0) + loss);
      total += loss;
    }
  }
  return total > 0 ? new Map(Array.from(lost, ([name, loss]) => [name, loss / total])) : null;
}
