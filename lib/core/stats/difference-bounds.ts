import { computeTQuantile, computeTwoSidedT } from "./distributions";
import { createRandomSource } from "./random";
import {
  ERROR_RATE,
  type Limits,
  computeOneSidedReach,
  computeSharedLevel,
  estimateFewDifferences,
  hasFewDifferences,
} from "./rate-interval";
import { ROUNDING, computeMean, computeMeanVariance, computeSize } from "./task-values";
import { type Unavailable, declareUnavailable } from "./unavailable";

/** Task means closer than this are tied: the same share counted over different numbers of attempts. */
export const TIE = 1e-9;

/**
 * Interval and p value of a mean paired difference. `p` is below 0.05 exactly where the interval excludes 0, unless it is adjusted
 * with others (`nAdjusted`). `agresti-min`: most tasks tie and fewer than ten differ. `exact-bound`: every task has the same
 * difference, either none or the largest possible one.
 */
export interface DifferenceBounds {
  readonly kind: "computed";
  readonly low: number;
  readonly high: number;
  /** Level of this interval alone: 0.95, or more where several hold jointly at 0.95. */
  readonly level: number;
  readonly nComparisons: number;
  /** p-values adjusted together by Holm's method; 1 for an unadjusted one. */
  readonly nAdjusted: number;
  readonly method: "paired-t" | "agresti-min" | "exact-bound";
  /** The larger p of the method and of the sign-flip test, times `nComparisons`; more than 0, at most 1. */
  readonly p: number;
  /** The method's own two-sided p for one comparison; null where it has none. */
  readonly pOfMethod: number | null;
  /** For one comparison. Requires signs alone to be significant too, so that few tasks are not taken for many. */
  readonly signFlip: SignFlipTest;
  /** Limits for two one-sided tests that the difference is small, each at 0.05 over `nComparisons`. */
  readonly ofEachSide: Limits;
  readonly estimand: "new-tasks";
  readonly standardError: number | null;
  readonly df: number | null;
}

/** Returns the mean of differences; 0 where they cancel but for rounding. */
export function computeMeanDifference(differences: readonly number[]): number {
  const mean = computeMean(differences);
  return Math.abs(mean) <= ROUNDING * computeSize(differences) ? 0 : mean;
}

export interface DifferenceOptions {
  /** True if all values are from 0 to 1, and differences from -1 to 1. */
  readonly isRate: boolean;
  readonly seed: number;
  readonly nComparisons: number;
}

type Core = Limits & Pick<DifferenceBounds, "method" | "pOfMethod" | "ofEachSide" | "standardError" | "df">;

/**
 * Computes the interval and p value of the mean of paired differences, finite and one per task, for new tasks. The interval holds
 * every difference that the method's test does not reject, and 0 where the sign-flip test does not. Several comparisons share the
 * error rate (Bonferroni).
 * @returns `one-task`; `no-variation` where all are equal and no exact bound is known
 * @see Dunn, "Multiple Comparisons Among Means" (1961); Lehmann and Romano, "Testing Statistical Hypotheses" (2005), section 3.5
 */
export function computeDifferenceBounds(
  differences: readonly number[],
  options: DifferenceOptions,
): DifferenceBounds | Unavailable {
  const { seed, nComparisons } = options;
  const level = computeSharedLevel(nComparisons);
  const core = computeCore(differences, options.isRate, level);
  if ("kind" in core) return core;
  const signFlip = computeSignFlipTest(
    differences.map((value) => (Math.abs(value) <= TIE ? 0 : value)),
    seed,
  );
  const single = Math.max(core.pOfMethod ?? 0, signFlip.p, Number.MIN_VALUE);
  const answer = agree(core, Math.min(1, single * nComparisons), ROUNDING * computeSize(differences));
  return {
    kind: "computed",
    ...core,
    ...answer,
    level,
    nComparisons,
    nAdjusted: 1,
    signFlip,
    estimand: "new-tasks",
  };
}

/** Most sums counted for one of thousands of pairs. Beyond it there are many tasks, and the method alone decides. */
const MOST_SUMS_OF_MANY = 200_000;

/**
 * Tests whether the two-sided p of {@link computeDifferenceBounds} for one comparison is below an error rate, for thousands of
 * pairs. Signs are counted only where neither the method nor Hoeffding's bound decides.
 * @param options.error - more than 0, less than 1
 * @param options.reach - quantile of t at `1 - error / 2` with one degree of freedom less than the number of differences
 * @returns `one-task`, `no-variation` as above
 */
export function testDifference(
  differences: readonly number[],
  options: { readonly isRate: boolean; readonly error: number; readonly reach: number },
): { readonly kind: "computed"; readonly isClear: boolean } | Unavailable {
  const { isRate, error, reach } = options;
  const n = differences.length;
  const [mean, largest] = [computeMeanDifference(differences), computeSize(differences)];
  let deviations = 0;
  let squares = 0;
  for (const value of differences) {
    deviations += (value - mean) ** 2;
    squares += value * value;
  }
  const spread = n < 2 ? 0 : Math.sqrt(deviations / (n - 1) / n);
  if (spread <= TIE) {
    const core = computeCore(differences, isRate, computeSharedLevel(1));
    if ("kind" in core) return core;
  } else {
    const isFew = isRate && hasFewDifferences(differences);
    const found = isFew ? estimateFewDifferences(differences, largest) : { mean, error: spread };
    if (Math.abs(found.mean) <= reach * found.error) return { kind: "computed", isClear: false };
  }
  if (boundSignFlip(mean * n, squares) < error) return { kind: "computed", isClear: true };
  const flipped = differences.map((value) => (Math.abs(value) <= TIE ? 0 : value));
  const { sizes, reach: observed } = measure(flipped);
  const signFlip = countEvery(sizes, observed, MOST_SUMS_OF_MANY);
  return { kind: "computed", isClear: (signFlip?.p ?? 0) < error };
}

/**
 * Computes only the interval of {@link computeDifferenceBounds}, for families of hundreds. Skips the sign-flip test where its
 * result is known: where the method's interval holds 0, or where Hoeffding's inequality bounds the share of sign patterns below
 * the threshold.
 * @returns as above
 * @see Hoeffding, "Probability Inequalities for Sums of Bounded Random Variables" (1963), theorem 2
 */
export function computeDifferenceLimits(
  differences: readonly number[],
  { isRate, seed, nComparisons }: DifferenceOptions,
): ({ readonly kind: "computed" } & Limits) | Unavailable {
  const core = computeCore(differences, isRate, computeSharedLevel(nComparisons));
  if ("kind" in core) return core;
  const { low, high } = agree(core, adjust(core.pOfMethod ?? 0), ROUNDING * computeSize(differences));
  if (low <= 0 && high >= 0) return { kind: "computed", low, high };
  const flipped = differences.map((value) => (Math.abs(value) <= TIE ? 0 : value));
  const sum = flipped.reduce((total, value) => total + value, 0);
  const squares = flipped.reduce((total, value) => total + value * value, 0);
  if (adjust(boundSignFlip(sum, squares)) < ERROR_RATE) return { kind: "computed", low, high };
  const { p } = computeSignFlipTest(flipped, seed);
  const limits = agree(core, adjust(p), ROUNDING * computeSize(differences));
  return { kind: "computed", low: limits.low, high: limits.high };

  function adjust(single: number): number {
    return Math.min(1, single * nComparisons);
  }
}

/** Returns an upper bound of the share of sign patterns whose sum is at least as far from 0 as the observed one. */
function boundSignFlip(sum: number, squares: number): number {
  return 2 * Math.exp(-(sum * sum) / (2 * squares));
}

/** Makes limits and p agree about 0 despite rounding. */
function agree({ low, high }: Limits, p: number, rounding: number): Limits & Pick<DifferenceBounds, "p"> {
  const leavesOutZero = low > rounding || high < -rounding;
  if (leavesOutZero && p < ERROR_RATE) return { low, high, p };
  return { low: Math.min(low, 0), high: Math.max(high, 0), p: Math.max(p, ERROR_RATE) };
}

function computeCore(differences: readonly number[], isRate: boolean, level: number): Core | Unavailable {
  const n = differences.length;
  if (n < 2) return declareUnavailable("one-task");
  const mean = computeMeanDifference(differences);
  const standardError = Math.sqrt(computeMeanVariance(differences));
  if (standardError <= TIE) {
    return isRate ? boundEqual(mean, n, level) : declareUnavailable("no-variation");
  }
  const isFew = isRate && hasFewDifferences(differences);
  const estimate = isFew
    ? estimateFewDifferences(differences, computeSize(differences))
    : { mean, error: standardError };
  const limit = (ofInterval: number): Limits => {
    const half = computeTQuantile(0.5 + ofInterval / 2, n - 1) * estimate.error;
    const [low, high] = [estimate.mean - half, estimate.mean + half];
    return isRate ? { low: Math.max(-1, low), high: Math.min(1, high) } : { low, high };
  };
  const limits = limit(level);
  return {
    ...limits,
    method: isFew ? "agresti-min" : "paired-t",
    pOfMethod: computeTwoSidedT(estimate.mean / estimate.error, n - 1),
    ofEachSide: isFew ? widenForTies(limits, n, level) : limit(2 * level - 1),
    standardError,
    df: n - 1,
  };
}

/** Widens limits for unseen tasks that may differ: a claim that nothing differs has to allow for them. */
function widenForTies(limits: Limits, n: number, level: number): Limits {
  const reach = computeOneSidedReach(n, level);
  return { low: Math.min(limits.low, -reach), high: Math.max(limits.high, reach) };
}

/** Bounds a mean where every task has the same difference: none at all, or the largest possible one. */
function boundEqual(mean: number, n: number, level: number): Core | Unavailable {
  const reach = computeOneSidedReach(n, level);
  const create = (low: number, high: number): Core => ({
    low,
    high,
    method: "exact-bound",
    pOfMethod: null,
    ofEachSide: { low, high },
    standardError: null,
    df: null,
  });
  if (Math.abs(mean) <= TIE) return create(-reach, reach);
  if (mean >= 1 - TIE) return create(1 - 2 * reach, 1);
  if (mean <= TIE - 1) return create(-1, 2 * reach - 1);
  return declareUnavailable("no-variation");
}

/** Differences that are not multiples of one step: every sign pattern is tried up to this many, beyond it patterns are drawn. */
const EXACT_LIMIT = 20;
/** Differences of shares of attempts are multiples of one over this or less. */
const MOST_STEPS = 1000;
/** Beyond it powers of one half underflow. */
const MOST_COUNTED = 1000;
const MOST_SUMS = 20_000_000;
const MOST_DRAWS = 100_000;
const FEWEST_DRAWS = 10_000;
/** Caps drawn signs, so that thousands of tasks take no longer than hundreds. */
const MOST_SIGNS = 50_000_000;

export interface SignFlipTest {
  /** More than 0, at most 1. */
  readonly p: number;
  /** The same with half the chance of an equally distant sum, see `McNemarTest.midP`; equal steps make `p` too conservative. */
  readonly midP: number;
  readonly method: "exact" | "sampled";
  readonly patterns: number;
  /** Null if every pattern was counted. */
  readonly seed: number | null;
}

/**
 * Computes the share of sign patterns whose sum is at least as far from 0 as the observed one. Differences of 0 do not matter.
 * @remarks Multiples of one step are counted by their sum: O(tasks x distinct sums). Others: every pattern up to 20 tasks, else
 * 10,000 to 100,000 draws
 */
export function computeSignFlipTest(differences: readonly number[], seed: number): SignFlipTest {
  const { sizes, reach } = measure(differences);
  const counted = countEvery(sizes, reach);
  if (counted !== null) return counted;
  // The observed pattern counts as one of the draws, so that p is never 0.
  const draws = Math.min(MOST_DRAWS, Math.max(FEWEST_DRAWS, Math.floor(MOST_SIGNS / sizes.length)));
  const { nAtLeast, nBeyond } = countSampled(sizes, reach, seed, draws);
  return {
    p: (1 + nAtLeast) / (1 + draws),
    midP: (1 + nAtLeast + nBeyond) / 2 / (1 + draws),
    method: "sampled",
    patterns: draws,
    seed,
  };
}

function measure(differences: readonly number[]) {
  const sizes = differences.map(Math.abs).filter((size) => size > 0);
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0));
  // Sums in another order differ in the last bits; a tie must stay a tie.
  const slack = 1e-9 * sizes.reduce((sum, size) => sum + size, 0);
  return { sizes, reach: { atLeast: observed - slack, beyond: observed + slack } };
}

/** Null where patterns would have to be drawn. */
function countEvery(sizes: readonly number[], reach: Reach, mostSums = MOST_SUMS): SignFlipTest | null {
  if (sizes.length === 0) return { p: 1, midP: 1, method: "exact", patterns: 1, seed: null };
  const counted = countMultiples(sizes, (reach.atLeast + reach.beyond) / 2, mostSums);
  if (counted !== null || sizes.length > EXACT_LIMIT) return counted;
  const patterns = 2 ** sizes.length;
  const { nAtLeast, nBeyond } = countExact(sizes, reach);
  return {
    p: nAtLeast / patterns,
    midP: (nAtLeast + nBeyond) / 2 / patterns,
    method: "exact",
    patterns,
    seed: null,
  };
}

/** Computes the test where all sizes are multiples of one step; null where they are not, or are too many. */
function countMultiples(sizes: readonly number[], observed: number, mostSums: number): SignFlipTest | null {
  if (sizes.length > MOST_COUNTED) return null;
  const perUnit = findSteps(sizes);
  if (perUnit === null) return null;
  const steps = sizes.map((size) => Math.round(size * perUnit));
  const total = steps.reduce((sum, size) => sum + size, 0);
  if (total * steps.length > mostSums) return null;
  const distance = Math.round(observed * perUnit);
  // The chance of each sum of the sizes whose sign is plus.
  const chances = new Float64Array(total + 1);
  chances[0] = 1;
  let reached = 0;
  for (const size of steps) {
    reached += size;
    for (let sum = reached; sum >= 0; sum--)
      chances[sum] = ((chances[sum] ?? 0) + (sum >= size ? (chances[sum - size] ?? 0) : 0)) / 2;
  }
  let [atLeast, beyond] = [0, 0];
  for (let plus = 0; plus <= total; plus++) {
    const far = Math.abs(2 * plus - total);
    if (far >= distance) atLeast += chances[plus] ?? 0;
    if (far > distance) beyond += chances[plus] ?? 0;
  }
  return {
    p: Math.min(1, atLeast),
    midP: Math.min(1, (atLeast + beyond) / 2),
    method: "exact",
    patterns: 2 ** sizes.length,
    seed: null,
  };
}

/** Returns the smallest number of steps per unit that divides every size; null if none is found. */
function findSteps(sizes: readonly number[]): number | null {
  const isMultiple = (size: number, perUnit: number) => {
    const steps = Math.round(size * perUnit);
    return steps > 0 && Math.abs(size * perUnit - steps) <= 1e-9 * steps;
  };
  for (let perUnit = 1; perUnit <= MOST_STEPS; perUnit++)
    if (sizes.every((size) => isMultiple(size, perUnit))) return perUnit;
  return null;
}

type Reach = ReturnType<typeof measure>["reach"];

/** Counts patterns as pairs of patterns of both halves, each half sorted by its sum. */
function countExact(sizes: readonly number[], { atLeast, beyond }: Reach) {
  const half = Math.floor(sizes.length / 2);
  const [left, right] = [listSums(sizes.slice(0, half)), listSums(sizes.slice(half))];
  const count = (limit: number) => {
    if (limit <= 0) return left.length * right.length;
    let n = 0;
    let from = right.length;
    for (const sum of left) {
      while (from > 0 && sum + (right[from - 1] ?? 0) >= limit) from--;
      n += right.length - from;
    }
    // Each pattern has a mirror image with every sign flipped.
    return 2 * n;
  };
  return { nAtLeast: count(atLeast), nBeyond: count(beyond) };
}

function listSums(sizes: readonly number[]): Float64Array {
  const sums = sizes.reduce((known, size) => known.flatMap((sum) => [sum + size, sum - size]), [0]);
  return Float64Array.from(sums).sort();
}

function countSampled(sizes: readonly number[], { atLeast, beyond }: Reach, seed: number, draws: number) {
  const random = createRandomSource(seed);
  const sums = sumEverySign(sizes);
  let nAtLeast = 0;
  let nBeyond = 0;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let start = 0; start < sums.length;) {
      let bits = random.nextUint32();
      for (const end = start + (32 / SIGNS) * PATTERNS; start < end; start += PATTERNS) {
        sum += sums[start + (bits & (PATTERNS - 1))] ?? 0;
        bits >>>= SIGNS;
      }
    }
    const distance = Math.abs(sum);
    if (distance >= atLeast) nAtLeast++;
    if (distance > beyond) nBeyond++;
  }
  return { nAtLeast, nBeyond };
}

/** Signs looked up together, and the number of their patterns. */
const SIGNS = 8;
const PATTERNS = 2 ** SIGNS;

/** Returns the sums of each eight sizes under every sign pattern, plus where a bit is set, padded to whole words of 32 signs. */
function sumEverySign(sizes: readonly number[]): Float64Array {
  const nWords = Math.ceil(sizes.length / 32);
  return Float64Array.from({ length: nWords * (32 / SIGNS) * PATTERNS }, (_, at) => {
    const first = Math.floor(at / PATTERNS) * SIGNS;
    let sum = 0;
    for (let sign = 0; sign < SIGNS; sign++) {
      const size = sizes[first + sign] ?? 0;
      sum += ((at >>> sign) & 1) === 1 ? size : -size;
    }
    return sum;
  });
}
