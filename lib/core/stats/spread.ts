import { type DifferenceBounds, TIE, computeMeanDifference, testDifference } from "./difference-bounds";
import { computeFTail, computeNormalQuantile, computeTQuantile } from "./distributions";
import { ERROR_RATE, LEVEL } from "./rate-interval";
import {
  type CompleteTask,
  type MissingRule,
  type TaskValues,
  type Unavailable,
  applyMissingRule,
  computeMean,
  computeSize,
  computeSquaredDeviations,
  declareUnavailable,
  haveAllValues,
  pairTasks,
} from "./task-values";

export interface PairedDesign {
  readonly nTasks: number;
  readonly attemptsFirst: number;
  readonly attemptsSecond: number;
}

export interface PowerOptions {
  /** Chance to detect a true difference of that size; default 0.8. */
  readonly power?: number;
  readonly level?: number;
}

type Pair = ReturnType<typeof pairComplete>[number];

function pairComplete(first: readonly TaskValues[], second: readonly TaskValues[], missing: MissingRule) {
  return pairTasks(applyMissingRule(first, missing).tasks, applyMissingRule(second, missing).tasks);
}

function computeVariance(values: readonly number[]): number {
  return computeSquaredDeviations(values) / (values.length - 1);
}

export type PairedSpread = Exclude<ReturnType<typeof estimatePairedSpread>, Unavailable>;

/**
 * Estimates the spread of paired differences from a pilot.
 * @returns `no-common-tasks`, `one-task`, `too-few-attempts` where a common task has a single attempt on a side, `not-finite`
 * @see Miller, "Adding Error Bars to Evals" (2024), section 5
 */
export function estimatePairedSpread(
  first: readonly TaskValues[],
  second: readonly TaskValues[],
  options: { readonly missing: MissingRule },
) {
  const pairs = pairComplete(first, second, options.missing);
  const problem = findProblem(pairs);
  if (problem !== null) return problem;
  if (pairs.some((pair) => pair.first.values.length < 2 || pair.second.values.length < 2)) {
    return declareUnavailable("too-few-attempts");
  }
  const noise = ({ values }: CompleteTask) => computeVariance(values);
  const spread = computeVariance(
    pairs.map((pair) => computeMean(pair.first.values) - computeMean(pair.second.values)),
  );
  const fromTrials = computeMean(
    pairs.map(
      (pair) => noise(pair.first) / pair.first.values.length + noise(pair.second) / pair.second.values.length,
    ),
  );
  return {
    kind: "computed",
    /** Variance of the true differences over tasks, without trial noise; at least 0. */
    between: Math.max(0, spread - fromTrials),
    /** Variance of one trial around its task's mean, in the first group and in the second. */
    trialFirst: computeMean(pairs.map((pair) => noise(pair.first))),
    trialSecond: computeMean(pairs.map((pair) => noise(pair.second))),
    nTasks: pairs.length,
    missing: options.missing,
  } as const;
}

function findProblem(pairs: readonly Pair[]): Unavailable | null {
  if (pairs.length === 0) return declareUnavailable("no-common-tasks");
  if (pairs.length === 1) return declareUnavailable("one-task");
  return haveAllValues(pairs, Number.isFinite) ? null : declareUnavailable("not-finite");
}

/**
 * Computes how much narrower the interval is because both groups ran the same tasks.
 * @returns `no-common-tasks`, `one-task`, `not-finite`, `no-variation` where neither group varies over tasks
 */
export function computePairingGain(
  first: readonly TaskValues[],
  second: readonly TaskValues[],
  options: { readonly missing: MissingRule },
) {
  const pairs = pairComplete(first, second, options.missing);
  const problem = findProblem(pairs);
  if (problem !== null) return problem;
  const a = pairs.map((pair) => computeMean(pair.first.values));
  const b = pairs.map((pair) => computeMean(pair.second.values));
  const unpairedVariance = (computeVariance(a) + computeVariance(b)) / pairs.length;
  const pairedVariance = computeVariance(a.map((mean, index) => mean - (b[index] ?? 0))) / pairs.length;
  if (unpairedVariance <= 1e-18) return declareUnavailable("no-variation");
  return {
    kind: "computed",
    /** Squared standard errors of the difference of means, with paired tasks and with independent ones. */
    pairedVariance,
    unpairedVariance,
    /** 1 - paired / unpaired: 0.75 is as good as four times the tasks. Negative where pairing costs. */
    saved: 1 - pairedVariance / unpairedVariance,
    nTasks: pairs.length,
    missing: options.missing,
  } as const;
}

/** With fewer tasks even the same sign on all of them has p above 0.05. */
const FEWEST_TASKS = 6;

function computeReach({ power = 0.8, level = LEVEL }: PowerOptions): number {
  return computeNormalQuantile(0.5 + level / 2) + computeNormalQuantile(power);
}

/**
 * Returns the smallest true difference that a design detects with the given power, in the unit of the values.
 * @see Miller, "Adding Error Bars to Evals" (2024), equation 10
 */
export function computeDetectableDifference(
  spread: Pick<PairedSpread, "between" | "trialFirst" | "trialSecond">,
  design: PairedDesign,
  options: PowerOptions = {},
): number {
  const perTask =
    spread.between + spread.trialFirst / design.attemptsFirst + spread.trialSecond / design.attemptsSecond;
  return computeReach(options) * Math.sqrt(perTask / design.nTasks);
}

/** Returns the tasks, at least 6, needed to detect a difference above 0 with the given attempts. */
export function computeTasksNeeded(
  spread: Pick<PairedSpread, "between" | "trialFirst" | "trialSecond">,
  design: Omit<PairedDesign, "nTasks"> & { readonly difference: number },
  options: PowerOptions = {},
): number {
  const ofOneTask = computeDetectableDifference(spread, { ...design, nTasks: 1 }, options);
  return Math.max(FEWEST_TASKS, roundUp((ofOneTask / design.difference) ** 2));
}

/** Returns the attempts per task and group needed to detect a difference; `out-of-reach` where more never suffice. */
export function computeAttemptsNeeded(
  spread: Pick<PairedSpread, "between" | "trialFirst" | "trialSecond">,
  design: { readonly nTasks: number; readonly difference: number },
  options: PowerOptions = {},
): { readonly kind: "computed"; readonly attempts: number } | Unavailable {
  const room = design.nTasks * (design.difference / computeReach(options)) ** 2 - spread.between;
  if (room <= 0) return declareUnavailable("out-of-reach");
  return {
    kind: "computed",
    attempts: Math.max(1, roundUp((spread.trialFirst + spread.trialSecond) / room)),
  };
}

function roundUp(value: number): number {
  return Math.ceil(value - 1e-9 * value);
}

export type RunToRun = Exclude<ReturnType<typeof computeRunToRun>, Unavailable>;

/**
 * Estimates how far runs differ for unrecorded reasons, such as the day, the server or a version. Runs are crossed with tasks; a
 * value is the mean of a run's attempts at a task, and the residual without both is chance.
 * @param runs - values of each run by task; tasks that a run lacks are ignored
 * @returns `one-run` with fewer than two; `no-common-tasks`; `one-task`; `not-finite`
 * @see Searle, Casella, McCulloch, "Variance Components" (1992), section 4.5: two-way crossed classification, one value a cell
 */
export function computeRunToRun(
  runs: readonly (readonly TaskValues[])[],
  { missing }: { readonly missing: MissingRule },
) {
  const means = runs.map(
    (tasks) =>
      new Map(applyMissingRule(tasks, missing).tasks.map(({ task, values }) => [task, computeMean(values)])),
  );
  const [first, ...others] = means;
  if (first === undefined || others.length === 0) return declareUnavailable("one-run");
  const tasks = [...first.keys()].filter((task) => others.every((other) => other.has(task)));
  if (tasks.length === 0) return declareUnavailable("no-common-tasks");
  const rows = tasks.map((task) => means.map((run) => run.get(task) ?? 0));
  if (!rows.every((row) => row.every(Number.isFinite))) return declareUnavailable("not-finite");
  if (tasks.length === 1) return declareUnavailable("one-task");
  const runMeans = means.map((_, at) => computeMean(rows.map((row) => row[at] ?? 0)));
  const grand = computeMean(runMeans);
  const [nRuns, nTasks] = [means.length, tasks.length];
  const ofRuns = computeSquaredDeviations(runMeans) / (nRuns - 1);
  const left = rows.reduce((sum, row) => {
    const own = computeMean(row);
    return sum + row.reduce((all, value, at) => all + (value - own - (runMeans[at] ?? 0) + grand) ** 2, 0);
  }, 0);
  const ofChance = left / ((nRuns - 1) * (nTasks - 1)) / nTasks;
  const least = (1e-12 * computeSize(rows.flat())) ** 2;
  return {
    kind: "computed",
    means: runMeans,
    spread: Math.sqrt(ofRuns),
    /** Standard deviation of the means from chance within tasks alone. */
    expected: Math.sqrt(ofChance),
    /** Standard deviation between runs beyond chance within tasks; 0 where they differ no more than that. */
    component: ofRuns - ofChance <= least ? 0 : Math.sqrt(ofRuns - ofChance),
    /**
     * P value of the hypothesis that runs do not differ, by the F test of two-way analysis of variance; null where nothing varies.
     */
    p:
      ofRuns <= least && ofChance <= least
        ? null
        : computeFTail(ofRuns / ofChance, nRuns - 1, (nRuns - 1) * (nTasks - 1)),
    nRuns,
    nTasks,
    isRate: rows.flat().every((value) => value >= 0 && value <= 1),
  } as const;
}

/**
 * Widens the paired t interval of a difference by the variance between runs on each side: the variances of both mean runs are
 * added to that of the tasks.
 * @param difference - first minus second
 * @returns the reason of a side without a component, such as `one-run`; `no-variation` where the interval has no standard error
 */
export function computeRunBounds(
  difference: number,
  { standardError, df, level }: Pick<DifferenceBounds, "standardError" | "df" | "level">,
  sides: readonly (RunToRun | Unavailable)[],
) {
  const without = sides.find((side) => side.kind === "unavailable");
  if (without !== undefined) return without;
  if (standardError === null || df === null) return declareUnavailable("no-variation");
  const parts = [
    { variance: standardError ** 2, df },
    ...sides.flatMap((side) =>
      side.kind === "unavailable" ? [] : { variance: side.component ** 2 / side.nRuns, df: side.nRuns - 1 },
    ),
  ];
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  if (variance === 0) return declareUnavailable("no-variation");
  const freedom = variance ** 2 / parts.reduce((sum, part) => sum + part.variance ** 2 / part.df, 0);
  const half = computeTQuantile(0.5 + level / 2, freedom) * Math.sqrt(variance);
  return {
    kind: "computed",
    low: difference - half,
    high: difference + half,
    standardError: Math.sqrt(variance),
    df: freedom,
  } as const;
}

export interface RankSet {
  /** One more than the number of clearly better groups; 1 for a group that can be the best. */
  readonly low: number;
  /** The number of groups minus the clearly worse ones. */
  readonly high: number;
  /** Groups without a comparison: no common task, a single one, or no variation. */
  readonly nUncompared: number;
}

interface GroupMeans {
  /** By index of the task; NaN where the group has none. */
  readonly means: Float64Array;
  readonly isRate: boolean;
}

/**
 * Computes rank sets from multiple comparisons with the best. Group i can be the best where `min over j of (mean_i - mean_j + d *
 * error_ij)` is at least 0: no other group is clearly better. Each pair is compared on its common tasks, each task weighing the
 * same. d covers the n - 1 comparisons of one group (Bonferroni), since only those of the best group have to hold jointly. Each
 * side has 0.025, as in a two-sided comparison at 0.05, so that rank sets and pair verdicts agree. Each rank set holds at 0.95. A
 * pair that cannot be compared excludes no rank.
 * @param groups - values by task, null for a missing one
 * @see Hsu, "Multiple Comparisons: Theory and Methods" (1996), section 4.2, with Bonferroni's inequality for the multivariate t;
 * Mogstad, Romano, Shaikh and Wilhelm, "Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
 * Achievement across Countries" (2024), ranks of one group
 */
export function computeRankSets(
  groups: readonly (readonly TaskValues[])[],
  options: { readonly missing: MissingRule },
) {
  const places = new Map<string, number>();
  for (const { task } of groups.flat()) if (!places.has(task)) places.set(task, places.size);
  const means = groups.map((tasks) => computeGroupMeans(tasks, places, options.missing));
  const n = groups.length;
  const error = ERROR_RATE / Math.max(1, n - 1);
  const reaches = new Map<number, number>();
  const findReach = (nTasks: number): number => {
    const reach = reaches.get(nTasks) ?? computeTQuantile(1 - error / 2, Math.max(1, nTasks - 1));
    reaches.set(nTasks, reach);
    return reach;
  };
  const counts = means.map(() => ({ nBetter: 0, nWorse: 0, nCompared: 0 }));
  let nPairs = 0;
  for (const [at, first] of means.entries())
    for (let other = at + 1; other < n; other++) {
      const second = means[other];
      const [own, versus] = [counts[at], counts[other]];
      if (second === undefined || own === undefined || versus === undefined) continue;
      const order = comparePair(first, second, error, findReach);
      if (order === null) continue;
      nPairs += 1;
      for (const count of [own, versus]) count.nCompared += 1;
      if (order === 0) continue;
      const [better, worse] = order > 0 ? [own, versus] : [versus, own];
      better.nWorse += 1;
      worse.nBetter += 1;
    }
  return {
    kind: "computed",
    ranks: counts.map(({ nBetter, nWorse, nCompared }) => ({
      low: 1 + nBetter,
      high: n - nWorse,
      nUncompared: n - 1 - nCompared,
    })),
    /** Compared pairs, out of n (n - 1) / 2. */
    nPairs,
    /** Lower bound of the share of samples in which the groups with `low` 1 include the best one. */
    levelOfBest: 1 - ERROR_RATE / 2,
    method: "bonferroni",
  } as const;
}

function computeGroupMeans(
  tasks: readonly TaskValues[],
  places: ReadonlyMap<string, number>,
  missing: MissingRule,
): GroupMeans {
  const { tasks: complete } = applyMissingRule(tasks, missing);
  const values = complete.flatMap((task) => task.values);
  const means = new Float64Array(places.size).fill(Number.NaN);
  if (values.every(Number.isFinite))
    for (const task of complete) means[places.get(task.task) ?? -1] = computeMean(task.values);
  return { means, isRate: values.every((value) => value >= 0 && value <= 1) };
}

/** Returns the sign of a clear difference, 0 for none; null where the two cannot be compared. */
function comparePair(
  first: GroupMeans,
  second: GroupMeans,
  error: number,
  findReach: (nTasks: number) => number,
): number | null {
  const differences: number[] = [];
  for (const [at, mean] of first.means.entries()) {
    const difference = mean - (second.means[at] ?? Number.NaN);
    if (!Number.isNaN(difference)) differences.push(difference);
  }
  if (differences.length === 0) return null;
  const isRate = first.isRate && second.isRate;
  const tested = testDifference(differences, { isRate, error, reach: findReach(differences.length) });
  if (tested.kind === "unavailable") return null;
  if (!tested.isClear) return 0;
  const difference = computeMeanDifference(differences);
  return Math.abs(difference) > TIE ? Math.sign(difference) : 0;
}
