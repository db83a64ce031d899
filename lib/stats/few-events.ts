import { computeBetaQuantile, computeTQuantile } from "./distributions";
import { computeOneSidedReach, computeWilsonLimits, LEVEL, type Limits } from "./rate-interval";
import { computeMean } from "./task-values";

/**
 * With fewer passes or failures t intervals and bootstrap bands of a rate cover too rarely: README.md has the simulation.
 */
const FEWEST_EVENTS = 15;

/** A mean of values from 0 to 1 whose tasks are the sample. */
export interface ClusteredRate {
  /** More than 0 and less than 1. */
  readonly mean: number;
  /** Its standard error with tasks as clusters, more than 0. */
  readonly error: number;
  readonly nTasks: number;
}

/** Independent trials that would show the same standard error; need not be whole. */
export function computeEffectiveN({ mean, error }: ClusteredRate): number {
  return (mean * (1 - mean)) / error ** 2;
}

/** Whether so many independent trials hold too few passes or failures for an interval that is symmetric or resampled. */
export function hasFewEvents(mean: number, effectiveN: number): boolean {
  return Math.min(mean, 1 - mean) * effectiveN < FEWEST_EVENTS;
}

/**
 * Wilson's interval with the critical value of t. With the smallest counts the exact one-sided limit holds, and it reaches
 * at least as far as if no task had passed, or none failed: one pass among many trials makes a clustered error tiny.
 * @param effectiveN - more than 0
 * @see Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001), section 4.1.1; Kott and Liu,
 *   "One-Sided Coverage Intervals for a Proportion" (2009); Franco et al., "Comparative Study of Confidence Intervals for
 *   Proportions in Complex Sample Surveys" (2019)
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

/** With fewer tasks than this that differ, where most do not, their spread says too little of how many would. */
const FEWEST_DIFFERENCES = 10;

/** Below this a difference of two rates is rounding. */
const ROUNDING = 1e-12;

/** Whether most paired differences are 0 and too few are not. */
export function hasFewDifferences(differences: readonly number[]): boolean {
  const nDiffering = differences.filter((value) => Math.abs(value) > ROUNDING).length;
  return nDiffering < Math.min(FEWEST_DIFFERENCES, differences.length / 2);
}

/**
 * Mean and standard error of paired differences (-1 to 1) as if two more tasks had been seen, of which each side won half
 * of one.
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

/** The interval of {@link estimateFewDifferences} at `level`, limits from -1 to 1. */
export function computeFewDifferenceLimits(
  differences: readonly number[],
  largest: number,
  level: number,
): Limits {
  const { mean, error } = estimateFewDifferences(differences, largest);
  const half = computeTQuantile(0.5 + level / 2, differences.length - 1) * error;
  return { low: Math.max(-1, mean - half), high: Math.min(1, mean + half) };
}
