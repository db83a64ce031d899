import { computeHistogram, computeShare } from "./distribution";
import { computeMeanInterval, type MeanInterval } from "./mean-interval";
import { applyMissingRule, type TaskValues } from "./task-values";
import type { Unavailable } from "./unavailable";

const DIMENSION_BINS = 10;

/**
 * Share of values at one end above which a scale no longer distinguishes trials there.
 * @see McHorney and Tarlov, Quality of Life Research 4 (1995): floor and ceiling effects above 15 %
 */
const END_SHARE = 0.15;
/** With fewer values, a few trials at one end are not evidence about the scale. */
const LEAST_VALUES = 10;

export interface EndEffects {
  readonly nFloor: number;
  readonly nCeiling: number;
  readonly floorShare: number;
  readonly ceilingShare: number;
  /** `graded`: more than 15 % of the values at one end. `two-valued`: all are 0 or 1, so the limit is 85 %. */
  readonly rule: "graded" | "two-valued";
  readonly threshold: number;
  /** False with fewer than 10 values. */
  readonly isFloor: boolean;
  readonly isCeiling: boolean;
}

export interface DimensionSummary {
  readonly kind: "computed";
  /** Also has the numbers of known and missing values. No figure here includes missing values. */
  readonly interval: MeanInterval;
  readonly counts: readonly number[];
  readonly ends: EndEffects;
}

/**
 * Computes mean, histogram and end effects of shares from 0 to 1 by task, null where a trial has none.
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

/** Counts known values at either end of the scale; without any value both are 0. */
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

export const DIMENSION_EDGES: readonly number[] = Array.from(
  { length: DIMENSION_BINS + 1 },
  (_, index) => index / DIMENSION_BINS,
);
