import { computePearson } from "./correlation";
import { computeTQuantile } from "./distributions";
import { computeFewDifferenceLimits, hasFewDifferences } from "./few-events";
import { DEFAULT_SEED } from "./random";
import { computeOneSidedReach, LEVEL } from "./rate-interval";
import { computeSignFlipTest } from "./sign-flip";
import type { SignFlipTest } from "./sign-flip";
import {
  applyMissingRule,
  computeMean,
  computeSize,
  computeSquaredDeviations,
  sortByTask,
} from "./task-values";
import type { CompleteTask, MissingRule, TaskValues } from "./task-values";
import { declareUnavailable } from "./unavailable";
import type { Unavailable } from "./unavailable";

/** Power at which a detectable difference is stated. */
const POWER = 0.8;

/** Level of an interval both of whose ends are tested at 0.05. */
const TWO_TESTS_LEVEL = 0.9;

/** With fewer tasks even the same sign on all of them has p above 0.05. */
const FEWEST_FOR_VERDICT = 6;

/**
 * An interval around a paired difference. `paired-t`: t over tasks. `agresti-min`: most tasks tie and fewer than ten
 * differ, of which t knows too little. `exact-bound`: every task has the same
 * difference, none or the largest there can be, so the bound is on how many would not.
 */
export interface DifferenceBounds {
  readonly kind: "computed";
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: "paired-t" | "agresti-min" | "exact-bound";
  /**
   * Limits for two tests of level 0.05 that the difference is small: those of level 0.90; where few tasks differ those of 0.95,
   * reaching at least as far as if none did; those of `exact-bound` are one-sided already.
   */
  readonly ofEachSide: { readonly low: number; readonly high: number };
  readonly estimand: "new-tasks";
  readonly standardError: number | null;
  readonly df: number | null;
}

/** The smallest true difference that the interval of a pair like this would show in 80 of 100 repetitions. */
export interface DetectableDifference {
  readonly kind: "computed";
  readonly difference: number;
  readonly power: number;
  readonly level: number;
  /** The same with twice the attempts on every task; null when a task has a single attempt on a side. */
  readonly withTwiceTheAttempts: number | null;
  /** Whether all of the spread looks like trial noise. Then more attempts help as much as they ever could. */
  readonly allSpreadIsTrialNoise: boolean;
}

/** Two groups compared on the tasks they share; first minus second throughout. */
export interface PairedComparison {
  readonly kind: "computed";
  /** Means of task means over the common tasks. */
  readonly meanFirst: number;
  readonly meanSecond: number;
  readonly difference: number;
  readonly bounds: DifferenceBounds | Unavailable;
  readonly test: SignFlipTest;
  readonly nTasks: number;
  readonly nOnlyFirst: number;
  readonly nOnlySecond: number;
  readonly nMissingFirst: number;
  readonly nMissingSecond: number;
  readonly missing: MissingRule;
  /** Tasks on which the first has the higher mean, the same, the lower. */
  readonly won: number;
  readonly tied: number;
  readonly lost: number;
  /** Of task means; null when a side does not vary. */
  readonly correlation: number | null;
  readonly detectable: DetectableDifference | Unavailable;
  /** Whether all values lie in 0 to 1, so that differences can be said in points. */
  readonly isRate: boolean;
  /** Better only where the interval leaves out 0 and the sign-flip test agrees at the same level. */
  readonly verdict: "first-better" | "second-better" | "not-distinguishable" | "no-interval";
}

/** Task means closer than this are tied: the same share counted over different numbers of attempts. */
const TIE = 1e-9;

/** Below this share of the values' own size a spread is rounding. */
const ROUNDING = 1e-12;

/** Sign of the difference of two task means, with 0 for a tie. */
export function compareTaskMeans(first: number, second: number): -1 | 0 | 1 {
  if (Math.abs(first - second) <= TIE) return 0;
  return first > second ? 1 : -1;
}

/**
 * Compares two groups on their common tasks, each task weighing the same.
 *
 * @returns `no-common-tasks` when there is none with values on both sides, `not-finite` with an infinite value
 */
export function computePairedComparison(
  first: readonly TaskValues[],
  second: readonly TaskValues[],
  options: { readonly missing: MissingRule; readonly seed?: number },
): PairedComparison | Unavailable {
  const a = applyMissingRule(first, options.missing);
  const b = applyMissingRule(second, options.missing);
  const others = new Map(b.tasks.map((task) => [task.task, task]));
  // By name, so that draws fall on the same tasks whichever group comes first.
  const pairs = sortByTask(a.tasks).flatMap((task) => {
    const other = others.get(task.task);
    return other === undefined ? [] : [{ first: task, second: other }];
  });
  if (pairs.length === 0) return declareUnavailable("no-common-tasks");
  const isFinite = pairs.every((pair) =>
    [...pair.first.values, ...pair.second.values].every(Number.isFinite),
  );
  if (!isFinite) return declareUnavailable("not-finite");
  const meansFirst = pairs.map((pair) => computeMean(pair.first.values));
  const meansSecond = pairs.map((pair) => computeMean(pair.second.values));
  const differences = meansFirst.map((mean, index) => mean - (meansSecond[index] ?? 0));
  const signs = meansFirst.map((mean, index) => compareTaskMeans(mean, meansSecond[index] ?? 0));
  const isRate = pairs.every((pair) =>
    [...pair.first.values, ...pair.second.values].every((v) => v >= 0 && v <= 1),
  );
  const difference = computeMean(differences);
  if (!Number.isFinite(computeSquaredDeviations(differences)) || !Number.isFinite(difference)) {
    return declareUnavailable("not-finite");
  }
  const bounds = computeBounds(differences, difference, isRate);
  const test = computeSignFlipTest(
    differences.map((value, index) => (signs[index] === 0 ? 0 : value)),
    options.seed ?? DEFAULT_SEED,
  );
  return {
    kind: "computed",
    meanFirst: computeMean(meansFirst),
    meanSecond: computeMean(meansSecond),
    difference,
    bounds,
    test,
    nTasks: pairs.length,
    nOnlyFirst: a.tasks.length - pairs.length,
    nOnlySecond: b.tasks.length - pairs.length,
    nMissingFirst: a.nMissing,
    nMissingSecond: b.nMissing,
    missing: options.missing,
    won: signs.filter((sign) => sign > 0).length,
    tied: signs.filter((sign) => sign === 0).length,
    lost: signs.filter((sign) => sign < 0).length,
    correlation: computePearson(
      meansFirst,
      meansSecond,
      ROUNDING * computeSize(meansFirst) * computeSize(meansSecond),
    ),
    detectable: computeDetectable(pairs, bounds),
    isRate,
    verdict: decideVerdict(bounds, test.p),
  };
}

function computeBounds(
  differences: readonly number[],
  mean: number,
  isRate: boolean,
): DifferenceBounds | Unavailable {
  const n = differences.length;
  if (n === 1) return declareUnavailable("one-task");
  const error = Math.sqrt(computeSquaredDeviations(differences) / (n - 1) / n);
  if (error <= TIE) {
    return isRate ? createExactBounds(mean, n) : declareUnavailable("no-variation");
  }
  const isFew = isRate && hasFewDifferences(differences);
  const limit = (level: number) => {
    const half = computeTQuantile(0.5 + level / 2, n - 1) * error;
    return {
      low: isRate ? Math.max(-1, mean - half) : mean - half,
      high: isRate ? Math.min(1, mean + half) : mean + half,
    };
  };
  const limits = isFew ? computeFewDifferenceLimits(differences, computeSize(differences)) : limit(LEVEL);
  return {
    kind: "computed",
    ...limits,
    ofEachSide: isFew ? widenForTies(limits, n) : limit(TWO_TESTS_LEVEL),
    level: LEVEL,
    method: isFew ? "agresti-min" : "paired-t",
    estimand: "new-tasks",
    standardError: error,
    df: n - 1,
  };
}

/** To say that nothing differs, tasks that were not seen must be allowed to, as where none of those seen does. */
function widenForTies(limits: { readonly low: number; readonly high: number }, n: number) {
  const reach = computeOneSidedReach(n);
  return { low: Math.min(limits.low, -reach), high: Math.max(limits.high, reach) };
}

/** Bounds where every task has the same difference: none at all, or the largest there can be. */
function createExactBounds(mean: number, n: number): DifferenceBounds | Unavailable {
  const reach = computeOneSidedReach(n);
  const create = (low: number, high: number): DifferenceBounds => ({
    kind: "computed",
    low,
    high,
    ofEachSide: { low, high },
    level: LEVEL,
    method: "exact-bound",
    estimand: "new-tasks",
    standardError: null,
    df: null,
  });
  if (Math.abs(mean) <= TIE) return create(-reach, reach);
  if (mean >= 1 - TIE) return create(1 - 2 * reach, 1);
  if (mean <= TIE - 1) return create(-1, 2 * reach - 1);
  return declareUnavailable("no-variation");
}

function decideVerdict(bounds: DifferenceBounds | Unavailable, p: number): PairedComparison["verdict"] {
  if (bounds.kind === "unavailable") return "no-interval";
  if (p >= 1 - LEVEL) return "not-distinguishable";
  if (bounds.low > 0) return "first-better";
  return bounds.high < 0 ? "second-better" : "not-distinguishable";
}

/**
 * With the critical values of t, so that few tasks are not said to show more than they do.
 *
 * @returns `too-few-tasks` where no pattern of signs could be certain
 * @see Miller, "Adding Error Bars to Evals" (2024), power analysis of paired differences, with t for the normal
 */
function computeDetectable(
  pairs: readonly { readonly first: CompleteTask; readonly second: CompleteTask }[],
  bounds: DifferenceBounds | Unavailable,
): DetectableDifference | Unavailable {
  if (bounds.kind === "unavailable") return bounds;
  if (bounds.standardError === null) return declareUnavailable("no-variation");
  if (pairs.length < FEWEST_FOR_VERDICT) return declareUnavailable("too-few-tasks");
  const df = pairs.length - 1;
  const reach = computeTQuantile(0.5 + LEVEL / 2, df) + computeTQuantile(POWER, df);
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
    level: LEVEL,
    withTwiceTheAttempts: isRepeated
      ? reach * Math.sqrt((between + Math.min(noise, total) / 2) / pairs.length)
      : null,
    allSpreadIsTrialNoise: isRepeated && between === 0,
  };
}

/** Variance of a task's mean over its attempts, estimated without bias. */
function computeTrialNoise(task: CompleteTask): number {
  const n = task.values.length;
  return n < 2 ? 0 : computeSquaredDeviations(task.values) / (n - 1) / n;
}
