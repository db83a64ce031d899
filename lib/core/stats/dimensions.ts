import { computeShare, countBins } from "./distribution";
import { type MeanInterval, computeMeanInterval } from "./mean-interval";
import { type PairedComparison, computePairedComparison } from "./paired-comparison";
import {
  type MissingRule,
  type TaskValues,
  applyMissingRule,
  computeMean,
  computePearson,
} from "./task-values";
import type { Computed, Unavailable, UnavailableReason } from "./unavailable";

export interface CorrelationPair {
  readonly first: number;
  readonly second: number;
  readonly n: number;
  readonly r: number | null;
  /** Why `r` is null: no row has both values, fewer than three do, one column is constant, or one is infinite. */
  readonly reason: Extract<UnavailableReason, "no-values" | "few-pairs" | "constant" | "not-finite"> | null;
}

const LEAST_PAIRS = 3;

export type Correlations = ReturnType<typeof computeCorrelations>;

/**
 * Correlates every two of equally long columns; null or NaN marks a missing value.
 * @remarks O(rows x columns squared)
 */
export function computeCorrelations(columns: readonly (readonly (number | null)[])[]) {
  const pairs = columns.flatMap((column, first) =>
    columns.slice(first + 1).map((other, offset): CorrelationPair => {
      const { x, y } = pickStated(column, other);
      const place = { first, second: first + 1 + offset, n: x.length };
      const reason = findFault(x, y);
      if (reason !== null) return { ...place, r: null, reason };
      const r = computePearson(x, y, 0);
      return r === null ? { ...place, r: null, reason: "constant" } : { ...place, r, reason: null };
    }),
  );
  return {
    method: "pearson",
    missing: "pairwise",
    /** Every pair once: 0 with 1, 0 with 2 ... 1 with 2 ... */
    pairs,
  } as const;
}

function pickStated(first: readonly (number | null)[], second: readonly (number | null)[]) {
  const x: number[] = [];
  const y: number[] = [];
  for (const [row, a] of first.entries()) {
    const b = second[row] ?? null;
    if (a === null || b === null || Number.isNaN(a) || Number.isNaN(b)) continue;
    x.push(a);
    y.push(b);
  }
  return { x, y };
}

function findFault(x: readonly number[], y: readonly number[]): CorrelationPair["reason"] {
  if (x.length === 0) return "no-values";
  if (x.length < LEAST_PAIRS) return "few-pairs";
  if (!x.every(Number.isFinite) || !y.every(Number.isFinite)) return "not-finite";
  return isConstant(x) || isConstant(y) ? "constant" : null;
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

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

/**
 * Share of values at one end above which a scale no longer distinguishes trials there.
 * @see McHorney and Tarlov, Quality of Life Research 4 (1995): floor and ceiling effects above 15 %
 */
const END_SHARE = 0.15;
/** With fewer values, a few trials at one end are not evidence about the scale. */
const LEAST_VALUES = 10;

export type DimensionSummary = Computed<typeof computeDimensionSummary>;

/**
 * Computes mean, histogram and end effects of shares from 0 to 1 by task, null where a trial has none.
 * @returns the reason of {@link computeMeanInterval} when no value is known
 */
export function computeDimensionSummary(tasks: readonly TaskValues[]) {
  const interval = computeMeanInterval(tasks, { missing: "exclude" });
  if (interval.kind === "unavailable") return interval;
  const { tasks: complete } = applyMissingRule(tasks, "exclude");
  const values = complete.flatMap((task) => task.values);
  return {
    kind: "computed",
    /** Also has the numbers of known and missing values. No figure here includes missing values. */
    interval,
    counts: countBins(values),
    ends: computeEndEffects(values),
  } as const;
}

export type EndEffects = ReturnType<typeof computeEndEffects>;

/** Counts known values at either end of the scale; without any value both are 0. */
export function computeEndEffects(values: readonly number[]) {
  const nFloor = values.filter((value) => value === 0).length;
  const nCeiling = values.filter((value) => value === 1).length;
  const isEnough = values.length >= LEAST_VALUES;
  const isTwoValued = nFloor + nCeiling === values.length;
  const threshold = isTwoValued ? 1 - END_SHARE : END_SHARE;
  const floorShare = computeShare(nFloor, values.length) ?? 0;
  const ceilingShare = computeShare(nCeiling, values.length) ?? 0;
  return {
    nFloor,
    nCeiling,
    floorShare,
    ceilingShare,
    /** `graded`: more than 15 % of the values at one end. `two-valued`: all are 0 or 1, so the limit is 85 %. */
    rule: isTwoValued ? "two-valued" : "graded",
    threshold,
    /** False with fewer than 10 values. */
    isFloor: isEnough && floorShare > threshold,
    isCeiling: isEnough && ceilingShare > threshold,
  } as const;
}
