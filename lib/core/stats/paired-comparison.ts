import {
  type DifferenceBounds,
  TIE,
  computeDifferenceBounds,
  computeDifferenceLimits,
  computeMeanDifference,
} from "./difference-bounds";
import { computeBinomialCdf, computeTQuantile } from "./distributions";
import type { TaskCounts } from "./pass-curves";
import { POWER } from "./power";
import { DEFAULT_SEED } from "./random";
import { ERROR_RATE, computeSharedLevel } from "./rate-interval";
import {
  type CompleteTask,
  type MissingRule,
  ROUNDING,
  type TaskValues,
  applyMissingRule,
  computeMean,
  computeMeanVariance,
  computePearson,
  computeSize,
  computeSquaredDeviations,
  haveAllValues,
  pairTasks,
  sortByTask,
} from "./task-values";
import { type Computed, type Unavailable, declareUnavailable } from "./unavailable";

/** Returns the sign of the difference of two task means, 0 for a tie. */
export function compareTaskMeans(first: number, second: number): -1 | 0 | 1 {
  if (Math.abs(first - second) <= TIE) return 0;
  return first > second ? 1 : -1;
}

/** Two groups compared on the tasks they share; first minus second throughout. */
export type PairedComparison = Computed<typeof computePairedComparison>;

/**
 * Compares two groups on their common tasks, each task weighing the same.
 * @param options.nComparisons - joint comparisons; interval, p value, verdict and detectable difference hold for all of them at 95
 * % (Bonferroni)
 * @param options.nAdjusted - comparisons whose p-values are adjusted together afterwards, see `adjustTogether`; the detectable
 * difference then holds for any of them
 * @returns `no-common-tasks` when there is none with values on both sides, `not-finite` with an infinite value
 */
export function computePairedComparison(
  first: readonly TaskValues[],
  second: readonly TaskValues[],
  options: {
    readonly missing: MissingRule;
    readonly seed?: number;
    readonly nComparisons?: number;
    readonly nAdjusted?: number;
  },
) {
  const a = applyMissingRule(first, options.missing);
  const b = applyMissingRule(second, options.missing);
  // By name, so that draws are the same tasks whichever group comes first.
  const pairs = pairTasks(sortByTask(a.tasks), b.tasks);
  if (pairs.length === 0) return declareUnavailable("no-common-tasks");
  if (!haveAllValues(pairs, Number.isFinite)) return declareUnavailable("not-finite");
  const meansFirst = pairs.map((pair) => computeMean(pair.first.values));
  const meansSecond = pairs.map((pair) => computeMean(pair.second.values));
  const differences = meansFirst.map((mean, index) => mean - (meansSecond[index] ?? 0));
  const signs = meansFirst.map((mean, index) => compareTaskMeans(mean, meansSecond[index] ?? 0));
  const isRate = haveAllValues(pairs, (value) => value >= 0 && value <= 1);
  const difference = computeMeanDifference(differences);
  if (!Number.isFinite(computeSquaredDeviations(differences)) || !Number.isFinite(difference)) {
    return declareUnavailable("not-finite");
  }
  const { seed = DEFAULT_SEED, nComparisons = 1, nAdjusted = 1 } = options;
  const bounds = computeDifferenceBounds(differences, { isRate, seed, nComparisons });
  return {
    kind: "computed",
    meanFirst: computeMean(meansFirst),
    meanSecond: computeMean(meansSecond),
    difference,
    bounds,
    nTasks: pairs.length,
    nOnlyFirst: a.tasks.length - pairs.length,
    nOnlySecond: b.tasks.length - pairs.length,
    nMissingFirst: a.nMissing,
    nMissingSecond: b.nMissing,
    missing: options.missing,
    /** Tasks on which the first group has the higher mean, an equal one, a lower one. */
    won: signs.filter((sign) => sign > 0).length,
    tied: signs.filter((sign) => sign === 0).length,
    lost: signs.filter((sign) => sign < 0).length,
    correlation: computePearson(
      meansFirst,
      meansSecond,
      ROUNDING * computeSize(meansFirst) * computeSize(meansSecond),
    ),
    detectable: computeDetectable(pairs, bounds, computeSharedLevel(nComparisons * nAdjusted)),
    isRate,
    /** Better where the p value is below 0.05. For one comparison that is where the interval excludes 0. */
    verdict: decideVerdict(bounds),
  } as const;
}

function decideVerdict(bounds: DifferenceBounds | Unavailable) {
  if (bounds.kind === "unavailable") return "no-interval";
  if (bounds.low > 0) return "first-better";
  return bounds.high < 0 ? "second-better" : "no-clear-difference";
}

/** The smallest true difference that the interval of such a pair would show in 80 of 100 repetitions. */
export type DetectableDifference = Computed<typeof computeDetectable>;

/**
 * Uses critical values of t, so that few tasks do not claim too much; `too-few-tasks` where no pattern of signs could be
 * significant.
 * @see Miller, "Adding Error Bars to Evals" (2024), power analysis of paired differences, with t instead of the normal
 */
function computeDetectable(
  pairs: readonly { readonly first: CompleteTask; readonly second: CompleteTask }[],
  bounds: DifferenceBounds | Unavailable,
  level: number,
) {
  if (bounds.kind === "unavailable") return bounds;
  if (bounds.standardError === null) return declareUnavailable("no-variation");
  // Even the same sign on all tasks would not be significant.
  if (2 ** (1 - pairs.length) >= 1 - level) return declareUnavailable("too-few-tasks");
  const df = pairs.length - 1;
  const reach = computeTQuantile(0.5 + level / 2, df) + computeTQuantile(POWER, df);
  const total = bounds.standardError ** 2 * pairs.length;
  const isRepeated = pairs.every((pair) => pair.first.values.length > 1 && pair.second.values.length > 1);
  const noise = computeMean(
    pairs.map((pair) => computeTrialNoise(pair.first) + computeTrialNoise(pair.second)),
  );
  const between = Math.max(0, total - noise);
  return {
    kind: "computed",
    difference: reach * bounds.standardError,
    power: POWER,
    level,
    /** The same with twice the attempts on every task; null when a task has a single attempt on a side. */
    withTwiceTheAttempts: isRepeated
      ? reach * Math.sqrt((between + Math.min(noise, total) / 2) / pairs.length)
      : null,
    /** True if the whole spread looks like trial noise, so that more attempts help as much as they can. */
    allSpreadIsTrialNoise: isRepeated && between === 0,
  } as const;
}

/** Returns the unbiased variance of a task's mean over its attempts. */
function computeTrialNoise(task: CompleteTask): number {
  return task.values.length < 2 ? 0 : computeMeanVariance(task.values);
}

export type Equivalence = Computed<typeof computeEquivalence>;

/**
 * Classifies a paired comparison against a margin above 0: better, worse, equivalent within it, or no clear difference.
 * @returns the comparison's reason where it has no interval
 * @see Schuirmann, "A Comparison of the Two One-Sided Tests Procedure" (1987)
 */
export function computeEquivalence(comparison: PairedComparison | Unavailable, margin: number) {
  if (comparison.kind === "unavailable") return comparison;
  const { bounds, verdict } = comparison;
  if (bounds.kind === "unavailable") return bounds;
  if (verdict === "no-interval") return declareUnavailable("no-variation");
  const { low, high } = bounds.ofEachSide;
  return {
    kind: "computed",
    /** Largest difference that does not matter, in the unit of the values. */
    margin,
    /** `equivalent` also covers a significant difference that is too small to matter; see `isDifferent`. */
    verdict: low > -margin && high < margin ? "equivalent" : verdict,
    isDifferent: verdict !== "no-clear-difference",
    /** The interval that must be within the margin: each end is tested at 0.05 over the number of comparisons. */
    low,
    high,
    level: bounds.method === "paired-t" ? 2 * bounds.level - 1 : bounds.level,
    method: bounds.method === "paired-t" ? "two-one-sided-t" : bounds.method,
    estimand: "new-tasks",
  } as const;
}

/**
 * Adjusts p-values of several comparisons, so that the chance of any false finding stays below the level.
 * @param ps - two-sided p-values, each more than 0 and at most 1
 * @returns adjusted p-values in their order, none below its input and none above 1
 * @see Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (1979)
 */
export function adjustByHolm(ps: readonly number[]): readonly number[] {
  const adjusted = ps.map(() => 1);
  let largest = 0;
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index);
  order.forEach(({ p, index }, rank) => {
    largest = Math.max(largest, Math.min(1, p * (ps.length - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}

/**
 * Adjusts the p-values, and with them the verdicts, of comparisons by Holm's method over all that have one. Intervals stay those
 * of a single difference, so one can exclude 0 where the adjusted p-value is 0.05 or more.
 * @param comparisons - each computed alone (`nComparisons` 1)
 */
export function adjustTogether(
  comparisons: readonly (PairedComparison | Unavailable)[],
): readonly (PairedComparison | Unavailable)[] {
  const single = comparisons.map((one) =>
    one.kind === "computed" && one.bounds.kind === "computed" ? one.bounds.p : null,
  );
  const tested = single.flatMap((p) => p ?? []);
  const adjusted = [...adjustByHolm(tested)];
  return comparisons.map((one) => {
    if (one.kind === "unavailable" || one.bounds.kind === "unavailable") return one;
    const p = adjusted.shift() ?? one.bounds.p;
    const verdict = p < ERROR_RATE ? one.verdict : "no-clear-difference";
    return { ...one, verdict, bounds: { ...one.bounds, p, nAdjusted: tested.length } };
  });
}

export interface TaskShares {
  readonly count: number;
  readonly n: number;
  readonly othersCount: number;
  readonly nOthers: number;
}

/** Difference in an event's frequency between a group and others at the same tasks, each task weighing the same. */
export type ShareDifference = Computed<typeof computeShareDifference>;

/**
 * Compares shares by task.
 * @param nComparisons - joint comparisons that the interval holds for
 * @returns `one-task` where both tried fewer than two tasks, and as `computeDifferenceLimits`
 */
export function computeShareDifference(tasks: readonly TaskShares[], nComparisons: number) {
  const differences = tasks.flatMap(({ count, n, othersCount, nOthers }) =>
    n > 0 && nOthers > 0 ? [count / n - othersCount / nOthers] : [],
  );
  if (differences.length < 2) return declareUnavailable("one-task");
  const bounds = computeDifferenceLimits(differences, { isRate: true, seed: DEFAULT_SEED, nComparisons });
  if (bounds.kind === "unavailable") return bounds;
  return {
    kind: "computed",
    /** -1 to 1. */
    difference: computeMeanDifference(differences),
    bounds,
    nTasks: differences.length,
  } as const;
}

export type McNemarTest = Computed<typeof computeMcNemarTest>;

/**
 * Computes McNemar's exact test: whether tasks that only one group passed split evenly between the groups.
 * @returns `no-common-tasks`; `several-attempts` where a common task has more than one on a side
 * @see McNemar, "Note on the Sampling Error of the Difference Between Correlated Proportions" (1947)
 */
export function computeMcNemarTest(first: readonly TaskCounts[], second: readonly TaskCounts[]) {
  const pairs = pairTasks(first, second);
  if (pairs.length === 0) return declareUnavailable("no-common-tasks");
  if (pairs.some((pair) => pair.first.n !== 1 || pair.second.n !== 1))
    return declareUnavailable("several-attempts");
  const count = (passedFirst: number, passedSecond: number) =>
    pairs.filter((pair) => pair.first.c === passedFirst && pair.second.c === passedSecond).length;
  const onlyFirst = count(1, 0);
  const onlySecond = count(0, 1);
  const { p, midP } = computeSignP(onlyFirst, onlySecond);
  return {
    kind: "computed",
    method: "exact-mcnemar",
    estimand: "new-tasks",
    /** Two-sided; more than 0, at most 1. */
    p,
    /**
     * The same with half the chance of the observed split. Its error rate is close to the nominal one.
     * @see Fagerland, Lydersen and Laake, "The McNemar Test for Binary Matched-Pairs Data" (2013)
     */
    midP,
    nTasks: pairs.length,
    bothPassed: count(1, 1),
    onlyFirst,
    onlySecond,
    nonePassed: count(0, 0),
  } as const;
}

/** Returns the two-sided chance of a split at least as uneven between two equally likely sides; 1 for no tasks. */
function computeSignP(one: number, other: number) {
  const n = one + other;
  if (n === 0) return { p: 1, midP: 1 };
  const fewer = Math.min(one, other);
  const tail = computeBinomialCdf(fewer, n, 0.5);
  const seen = fewer === 0 ? tail : tail - computeBinomialCdf(fewer - 1, n, 0.5);
  // An even split belongs to both tails, and is observed once.
  const midP = one === other ? 1 - seen / 2 : 2 * tail - seen;
  // With more than a thousand tasks on one side the share underflows, but it is not 0.
  return { p: Math.min(1, Math.max(2 * tail, Number.MIN_VALUE)), midP: Math.max(midP, Number.MIN_VALUE) };
}
