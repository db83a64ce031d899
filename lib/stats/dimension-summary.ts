import { computeHistogram, computeShare } from "./distribution";
import { computeMeanInterval, type MeanInterval } from "./mean-interval";
import { applyMissingRule, type TaskValues } from "./task-values";
import type { Unavailable } from "./unavailable";

/** Bins of a dimension's histogram: tenths, so that every edge is a number that one can say. */
const DIMENSION_BINS = 10;

/**
 * The share of values at one end above which a scale no longer tells trials apart there.
 * @see McHorney and Tarlov, Quality of Life Research 4 (1995): floor and ceiling effects above 15 %
 */
const END_SHARE = 0.15;
/** Below so many values a few trials at one end say nothing of the scale. */
const LEAST_VALUES = 10;

/** How many values lie at the very ends of the scale, and whether that is too many. */
export interface EndEffects {
  /** Values that are exactly 0, and exactly 1. */
  readonly nFloor: number;
  readonly nCeiling: number;
  /** The same as shares of the known values, 0 to 1. */
  readonly floorShare: number;
  readonly ceilingShare: number;
  /** `graded`: more than 15 % of the values at one end. `two-valued`: all are 0 or 1, so it takes more than 85 %. */
  readonly rule: "graded" | "two-valued";
  readonly threshold: number;
  /** Never with fewer than 10 values. */
  readonly isFloor: boolean;
  readonly isCeiling: boolean;
}

/** What the trials of one group say of one dimension, all of it on the scale from 0 to 1. */
export interface DimensionSummary {
  readonly kind: "computed";
  /** Mean with its interval, and how many values are known and missing. Missing ones are in no figure here. */
  readonly interval: MeanInterval;
  /** Known values by tenths: `low <= value < high`, the last with its upper edge. */
  readonly counts: readonly number[];
  readonly ends: EndEffects;
}

/**
 * Mean, histogram and end effects of shares from 0 to 1 by task, null where a trial states none.
 * @returns the reason of {@link computeMeanInterval} when no value is known
 */
export function computeDimensionSummary(tasks: readonly TaskValues[]): DimensionSummary | Unavailable {
  const interval = computeMeanInterval(tasks, { missing: "exclude" });
  if (interval.kind === "unavailable") return interval;
  const { tasks: complete } = applyMissingRule(tasks, "exclude");
  const values = complete.flatMap((task) => task.values);
  const { bins } = computeHistogram(values, { low: 0, high: 1 }, DIMENSION_BINS);
  return {
    kind: "computed",
    interval,
    counts: bins.map(({ count }) => count),
    ends: computeEndEffects(values),
  };
}

/** End effects of some known values; without any, nothing lies at either end. */
export function computeEndEffects(values: readonly number[]): EndEffects {
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
    rule: isTwoValued ? "two-valued" : "graded",
    threshold,
    isFloor: isEnough && floorShare > threshold,
    isCeiling: isEnough && ceilingShare > threshold,
  };
}

/** Edges of a histogram's bins: bin `i` is from the i-th to the next. */
export const DIMENSION_EDGES: readonly number[] = Array.from(
  { length: DIMENSION_BINS + 1 },
  (_, index) => index / DIMENSION_BINS,
);
