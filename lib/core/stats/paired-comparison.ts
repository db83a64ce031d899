import { computePearson } from "./correlation";
import { computeDifferenceBounds, computeMeanDifference, TIE } from "./difference-bounds";
import type { DifferenceBounds } from "./difference-bounds";
import { computeTQuantile } from "./distributions";
import { DEFAULT_SEED } from "./random";
import { computeSharedLevel } from "./rate-interval";
import {
  applyMissingRule,
  computeMean,
  computeMeanVariance,
  computeSize,
  computeSquaredDeviations,
  haveAllValues,
  pairTasks,
  sortByTask,
} from "./task-values";
import type { CompleteTask, MissingRule, TaskValues } from "./task-values";
import { declareUnavailable, type Unavailable } from "./unavailable";

const POWER = 0.8;

/** The smallest true difference that the interval of such a pair would show in 80 of 100 repetitions. */
export interface DetectableDifference {
  readonly kind: "computed";
  readonly difference: number;
  readonly power: number;
  readonly level: number;
  /** The same with twice the attempts on every task; null when a task has a single attempt on a side. */
  readonly withTwiceTheAttempts: number | null;
  /** True if the whole spread looks like trial noise, so that more attempts help as much as they can. */
  readonly allSpreadIsTrialNoise: boolean;
}

/** Two groups compared on the tasks they share; first minus second throughout. */
export interface PairedComparison {
  readonly kind: "computed";
  readonly meanFirst: number;
  readonly meanSecond: number;
  readonly difference: number;
  readonly bounds: DifferenceBounds | Unavailable;
  readonly nTasks: number;
  readonly nOnlyFirst: number;
  readonly nOnlySecond: number;
  readonly nMissingFirst: number;
  readonly nMissingSecond: number;
  readonly missing: MissingRule;
  /** Tasks on which the first group has the higher mean, an equal one, a lower one. */
  readonly won: number;
  readonly tied: number;
  readonly lost: number;
  readonly correlation: number | null;
  readonly detectable: DetectableDifference | Unavailable;
  readonly isRate: boolean;
  /** Better where the p value is below 0.05. For one comparison that is where the interval excludes 0. */
  readonly verdict: "first-better" | "second-better" | "no-clear-difference" | "no-interval";
}

/** A spread below this share of the values' size is rounding. */
const ROUNDING = 1e-12;

/** Returns the sign of the difference of two task means, 0 for a tie. */
export function compareTaskMeans(first: number, second: number): -1 | 0 | 1 {
  if (Math.abs(first - second) <= TIE) return 0;
  return first > second ? 1 : -1;
}

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
): PairedComparison | Unavailable {
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
    verdict: decideVerdict(bounds),
  };
}

function decideVerdict(bounds: DifferenceBounds | Unavailable): PairedComparison["verdict"] {
  if (bounds.kind === "unavailable") return "no-interval";
  if (bounds.low > 0) return "first-better";
  return bounds.high < 0 ? "second-better" : "no-clear-difference";
}

/**
 * Uses critical values of t, so that few tasks do not claim too much; `too-few-tasks` where no pattern of signs could be
 * significant.
 * @see Miller, "Adding Error Bars to Evals" (2024), power analysis of paired differences, with t instead of the normal
 */
function computeDetectable(
  pairs: readonly { readonly first: CompleteTask; readonly second: CompleteTask }[],
  bounds: DifferenceBounds | Unavailable,
  level: number,
): DetectableDifference | Unavailable {
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
    withTwiceTheAttempts: isRepeated
      ? reach * Math.sqrt((between + Math.min(noise, total) / 2) / pairs.length)
      : null,
    allSpreadIsTrialNoise: isRepeated && between === 0,
  };
}

/** Returns the unbiased variance of a task's mean over its attempts. */
function computeTrialNoise(task: CompleteTask): number {
  return task.values.length < 2 ? 0 : computeMeanVariance(task.values);
}
