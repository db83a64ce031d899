import { computeBetaQuantile, computeTQuantile } from "./distributions";
import { computeOneSidedReach, computeWilsonLimits, LEVEL, type Limits } from "./rate-interval";
import { computeMean } from "./task-values";

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

const ROUNDING = 1e-12;

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
