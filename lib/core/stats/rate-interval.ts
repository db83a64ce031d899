import { computeBetaQuantile, computeNormalQuantile, computeTQuantile } from "./distributions";
import { ROUNDING, computeMean } from "./task-values";
import { type Unavailable, declareUnavailable } from "./unavailable";

export const LEVEL = 0.95;

export interface Limits {
  readonly low: number;
  readonly high: number;
}

/** Chance of any false difference, over one comparison or all joint ones. */
export const ERROR_RATE = 0.05;

/** Returns the level of each of `nComparisons` intervals, at least 1, that hold jointly at 0.95 (Bonferroni). */
export function computeSharedLevel(nComparisons: number): number {
  return 1 - ERROR_RATE / nComparisons;
}

/** A share of `n` with its 95 % interval, 0 to 1 except the counts. */
export interface RateInterval {
  readonly kind: "computed";
  readonly rate: number;
  readonly count: number;
  readonly n: number;
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: "wilson" | "clopper-pearson" | "jeffreys";
  /** A repetition draws other cases of the same kind. */
  readonly estimand: "new-rows";
}

/** Computes Wilson's interval for `count` of `n` independent cases; `no-values` when n is 0. */
export function computeWilsonInterval(count: number, n: number): RateInterval | Unavailable {
  if (!(n > 0) || !Number.isFinite(count / n)) return declareUnavailable("no-values");
  const rate = count / n;
  const { low, high } = computeWilsonLimits(rate, n, computeNormalQuantile(0.5 + LEVEL / 2));
  return {
    kind: "computed",
    rate,
    count,
    n,
    // At the ends the formula is exactly 0 or 1; rounding must not move it past them.
    low: count === 0 ? 0 : Math.min(rate, low),
    high: count === n ? 1 : Math.max(rate, high),
    level: LEVEL,
    method: "wilson",
    estimand: "new-rows",
  };
}

/**
 * Returns Wilson's limits of a rate, within 0 and 1. `n` need not be whole; `critical` is a quantile of the normal distribution or
 * t.
 */
function computeWilsonLimits(rate: number, n: number, critical: number): Limits {
  const squared = critical * critical;
  const denominator = 1 + squared / n;
  const centre = (rate + squared / (2 * n)) / denominator;
  const half = (critical * Math.sqrt((rate * (1 - rate)) / n + squared / (4 * n * n))) / denominator;
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** Computes Clopper and Pearson's exact interval; `no-values` when n is 0. `count` need not be whole. */
export function computeClopperPearsonInterval(count: number, n: number): RateInterval | Unavailable {
  return computeBetaInterval(count, n, 1, "clopper-pearson");
}

/**
 * Computes Jeffreys's interval, from Beta(1/2, 1/2), extended to the end of the scale at 0 and n; `no-values` when n is 0.
 * @see Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001), section 3.1
 */
export function computeJeffreysInterval(count: number, n: number): RateInterval | Unavailable {
  return computeBetaInterval(count, n, 0.5, "jeffreys");
}

/** Quantiles of Beta distributions around the count. `more` is added to the far shape, and `1 - more` to the near one. */
function computeBetaInterval(
  count: number,
  n: number,
  more: number,
  method: "clopper-pearson" | "jeffreys",
): RateInterval | Unavailable {
  if (!(n > 0) || !Number.isFinite(count / n)) return declareUnavailable("no-values");
  const alpha = 1 - LEVEL;
  const less = 1 - more;
  return {
    kind: "computed",
    rate: count / n,
    count,
    n,
    low: count <= 0 ? 0 : computeBetaQuantile(alpha / 2, count + less, n - count + more),
    high: count >= n ? 1 : computeBetaQuantile(1 - alpha / 2, count + more, n - count + less),
    level: LEVEL,
    method,
    estimand: "new-rows",
  };
}

/** Returns the one-sided bound when all of `n` values in 0 to 1 are at one end, as a distance from that end. About 3 / n. */
export function computeOneSidedReach(n: number, level = LEVEL): number {
  return 1 - (1 - level) ** (1 / n);
}

/** With fewer passes or failures, t intervals and bootstrap bands of a rate cover too rarely. Simulation in README.md. */
const FEWEST_EVENTS = 15;

export interface ClusteredRate {
  /** More than 0 and less than 1. */
  readonly mean: number;
  /** Standard error with tasks as clusters, more than 0. */
  readonly error: number;
  readonly nTasks: number;
}

/** Returns the number of independent trials that would have the same standard error; not necessarily whole. */
export function computeEffectiveN({ mean, error }: ClusteredRate): number {
  return (mean * (1 - mean)) / error ** 2;
}

/** True if that many independent trials hold too few passes or failures for a symmetric or resampled interval. */
export function hasFewEvents(mean: number, effectiveN: number): boolean {
  return Math.min(mean, 1 - mean) * effectiveN < FEWEST_EVENTS;
}

/**
 * Computes Wilson's interval with the critical value of t. With the smallest counts the exact one-sided limit applies. The
 * interval reaches at least as far as if no task had passed, or none failed: one pass among many trials makes a clustered error
 * tiny.
 * @param effectiveN - more than 0
 * @see Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001), section 4.1.1; Kott and Liu, "One-Sided
 * Coverage Intervals for a Proportion" (2009); Franco et al., "Comparative Study of Confidence Intervals for Proportions in
 * Complex Sample Surveys" (2019)
 */
export function computeFewEventLimits({ mean, nTasks }: ClusteredRate, effectiveN: number): Limits {
  const { low, high } = computeWilsonLimits(mean, effectiveN, computeTQuantile(0.5 + LEVEL / 2, nTasks - 1));
  const reach = computeOneSidedReach(nTasks);
  const [passes, failures] = [mean * effectiveN, (1 - mean) * effectiveN];
  return {
    low: Math.min(low, computeBetaQuantile(1 - LEVEL, passes, failures + 1), 1 - reach),
    high: Math.max(high, computeBetaQuantile(LEVEL, passes + 1, failures), reach),
  };
}

/** With fewer differing tasks, where most do not differ, their spread is too uncertain. */
const FEWEST_DIFFERENCES = 10;

export function hasFewDifferences(differences: readonly number[]): boolean {
  const nDiffering = differences.filter((value) => Math.abs(value) > ROUNDING).length;
  return nDiffering < Math.min(FEWEST_DIFFERENCES, differences.length / 2);
}

/**
 * Estimates the mean and standard error of paired differences (-1 to 1) as if each side had won half of two more tasks.
 * @see Agresti and Min, "Simple Improved Confidence Intervals for Comparing Matched Proportions" (2005), with t
 */
export function estimateFewDifferences(
  differences: readonly number[],
  largest: number,
): { readonly mean: number; readonly error: number } {
  const n = differences.length + 2;
  const mean = (computeMean(differences) * differences.length) / n;
  const squares = differences.reduce((sum, value) => sum + value ** 2, 0) + largest ** 2;
  return { mean, error: Math.sqrt((squares / n - mean ** 2) / n) };
}

/** Computes the interval of {@link estimateFewDifferences} at `level`, limits from -1 to 1. */
export function computeFewDifferenceLimits(
  differences: readonly number[],
  largest: number,
  level: number,
): Limits {
  const { mean, error } = estimateFewDifferences(differences, largest);
  const half = computeTQuantile(0.5 + level / 2, differences.length - 1) * error;
  return { low: Math.max(-1, mean - half), high: Math.min(1, mean + half) };
}
