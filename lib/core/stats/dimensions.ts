import { computeShare } from "./cost-and-time";
import { computeBetaQuantile, computeNormalQuantile } from "./distributions";
import { type MeanInterval, computeMeanInterval } from "./mean-interval";
import { type PairedComparison, computePairedComparison } from "./paired-comparison";
import { LEVEL, type RateInterval, computeWilsonInterval } from "./rate-interval";
import {
  type MissingRule,
  type TaskValues,
  type Unavailable,
  type UnavailableReason,
  applyMissingRule,
  computeMean,
  declareUnavailable,
  computePearson,
} from "./task-values";

export interface CorrelationPair {
  readonly first: number;
  readonly second: number;
  readonly n: number;
  readonly r: number | null;
  /** Why `r` is null: no row has both values, fewer than three do, one column is constant, or one is infinite. */
  readonly reason: Extract<UnavailableReason, "no-values" | "few-pairs" | "constant" | "not-finite"> | null;
}

const LEAST_PAIRS = 3;

/**
 * Correlates every two of equally long columns; null or NaN marks a missing value.
 * @remarks O(rows x columns squared)
 */
export function computeCorrelations(columns: readonly (readonly (number | null)[])[]) {
  const pairs = columns.flatMap((column, first) =>
    columns.slice(first + 1).map((other, offset): CorrelationPair => {
      const { x, y } = pickStated(column, other);
      const place = { first, second: first + 1 + offset, n: x.length };
      const reason = findFault(x, y);
      if (reason !== null) return { ...place, r: null, reason };
      const r = computePearson(x, y, 0);
      return r === null ? { ...place, r: null, reason: "constant" } : { ...place, r, reason: null };
    }),
  );
  return { method: "pearson", missing: "pairwise", pairs };
}

function pickStated(first: readonly (number | null)[], second: readonly (number | null)[]) {
  const x: number[] = [];
  const y: number[] = [];
  for (const [row, a] of first.entries()) {
    const b = second[row] ?? null;
    if (a === null || b === null || Number.isNaN(a) || Number.isNaN(b)) continue;
    x.push(a);
    y.push(b);
  }
  return { x, y };
}

function findFault(x: readonly number[], y: readonly number[]): CorrelationPair["reason"] {
  if (x.length === 0) return "no-values";
  if (x.length < LEAST_PAIRS) return "few-pairs";
  if (!x.every(Number.isFinite) || !y.every(Number.isFinite)) return "not-finite";
  return isConstant(x) || isConstant(y) ? "constant" : null;
}

function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}

export interface ItemRest {
  readonly method: "pearson";
  readonly n: number;
  readonly nLeftOut: number;
  readonly r: number | null;
  /** Fisher's interval of `r` at 0.95; null below four runs and where `r` is -1 or 1. */
  readonly low: number | null;
  readonly high: number | null;
  /** Why `r` is null: fewer than three runs, or one of the two is constant over runs. */
  readonly reason: Extract<UnavailableReason, "few-runs" | "constant"> | null;
}

/** Share of all tasks that a run must have tried for its score to be comparable. */
const LEAST_COVERAGE = 0.5;
const LEAST_RUNS = 3;
/** Shares of tasks differ by far more; anything below is rounding. */
const LEAST_SPREAD = 1e-10;

/**
 * Correlates each task with the total score of the other tasks. The unit is a run, one group of one job. It pairs the run's pass
 * share at the task with the mean of its shares at the other tasks it tried, equally weighted. The task itself is excluded from
 * that mean. Runs weigh the same, however many attempts they have, and runs of one agent count as independent.
 * @param runs - one row per run, one share (0 to 1) per task, in the same task order; null where the run has none
 * @returns one entry per task, in that order
 * @see Nunnally and Bernstein, "Psychometric Theory" (1994), corrected item-total correlation; the interval as in SciPy's
 * `pearsonr`
 */
export function computeItemRest(runs: readonly (readonly (number | null)[])[]): readonly ItemRest[] {
  const nTasks = Math.max(0, ...runs.map(({ length }) => length));
  const totals = runs.map((shares) => {
    const known = shares.filter((share) => share !== null);
    return { shares, n: known.length, sum: known.reduce((sum, share) => sum + share, 0) };
  });
  return Array.from({ length: nTasks }, (_, task) => {
    const own: number[] = [];
    const rest: number[] = [];
    let nLeftOut = 0;
    for (const { shares, n, sum } of totals) {
      const share = shares[task] ?? null;
      if (share === null) continue;
      if (n < 2 || n < nTasks * LEAST_COVERAGE) nLeftOut++;
      else {
        own.push(share);
        rest.push((sum - share) / (n - 1));
      }
    }
    return { method: "pearson", n: own.length, nLeftOut, ...correlate(own, rest) };
  });
}

function correlate(own: readonly number[], rest: readonly number[]) {
  if (own.length < LEAST_RUNS) return { r: null, low: null, high: null, reason: "few-runs" } as const;
  const r = computePearson(own, rest, LEAST_SPREAD);
  if (r === null) return { r, low: null, high: null, reason: "constant" } as const;
  if (own.length <= LEAST_RUNS || Math.abs(r) === 1) return { r, low: null, high: null, reason: null };
  const half = computeNormalQuantile(0.5 + LEVEL / 2) / Math.sqrt(own.length - 3);
  const centre = Math.atanh(r);
  return { r, low: Math.tanh(centre - half), high: Math.tanh(centre + half), reason: null };
}

export interface DimensionValues {
  /** One list per group: the tasks that have the dimension, null where a trial has no value. */
  readonly groups: readonly (readonly TaskValues[])[];
}

export interface DimensionStanding<Dimension> {
  readonly dimension: Dimension;
  readonly groups: readonly (MeanInterval | Unavailable)[];
  /** Unweighted mean of the groups' means; null where no group has a value. */
  readonly mean: number | null;
  readonly nTasks: number;
  /** The first group of the pair minus the second over their common tasks; null without a pair. */
  readonly difference: PairedComparison | Unavailable | null;
}

/**
 * Pools dimensions over tasks, worst first: means by group with intervals, and the paired difference of two groups. The intervals
 * and verdicts of the differences hold jointly over all dimensions. Dimensions without any value come last; ties keep the given
 * order.
 * @param options.pair - indices of the two compared groups
 * @see computeMeanInterval and computePairedComparison, for the methods and their refusals
 */
export function computeDimensionOverview<Dimension extends DimensionValues>(
  dimensions: readonly Dimension[],
  options: { readonly missing: MissingRule; readonly pair: readonly [number, number] | null },
): readonly DimensionStanding<Dimension>[] {
  const { missing, pair } = options;
  const nComparisons = Math.max(1, dimensions.length);
  const standings = dimensions.map((dimension) => {
    const groups = dimension.groups.map((tasks) => computeMeanInterval(tasks, { missing }));
    const means = groups.flatMap((group) => (group.kind === "computed" ? [group.mean] : []));
    const [first, second] = (pair ?? []).map((at) => dimension.groups[at] ?? []);
    return {
      dimension,
      groups,
      mean: means.length === 0 ? null : computeMean(means),
      nTasks: countTasks(dimension),
      difference:
        first === undefined || second === undefined
          ? null
          : computePairedComparison(first, second, { missing, nComparisons }),
    };
  });
  return standings.toSorted((a, b) => (a.mean ?? Infinity) - (b.mean ?? Infinity) || 0);
}

function countTasks({ groups }: DimensionValues): number {
  const known = groups.flatMap((tasks) =>
    tasks.filter(({ values }) => values.some((value) => value !== null)),
  );
  return new Set(known.map(({ task }) => task)).size;
}

/** A part of a weighted mean: the reached share of its maximum, 0 to 1, and its weight. */
export interface WeightedPart {
  readonly name: string;
  readonly share: number;
  readonly weight: number;
}

/**
 * Returns each dimension's share of the total loss, 0 to 1, where a trial's reward is the weighted mean of its parts. A loss is
 * weight times the distance to 1. Returns null where a trial's weights are not positive or nothing was lost.
 */
export function computeLossShares(
  trials: Iterable<readonly WeightedPart[]>,
): ReadonlyMap<string, number> | null {
  const lost = new Map<string, number>();
  let total = 0;
  for (const parts of trials) {
    const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
    if (!(weights > 0) || parts.some(({ weight, share }) => !(weight >= 0) || Number.isNaN(share)))
      return null;
    for (const { name, share, weight } of parts) {
      const loss = (weight / weights) * (1 - share);
      lost.set(name, (lost.get(name) ?? 0) + loss);
      total += loss;
    }
  }
  return total > 0 ? new Map(Array.from(lost, ([name, loss]) => [name, loss / total])) : null;
}

/**
 * Share of values at one end above which a scale no longer distinguishes trials there.
 * @see McHorney and Tarlov, Quality of Life Research 4 (1995): floor and ceiling effects above 15 %
 */
const END_SHARE = 0.15;
/** With fewer values, a few trials at one end are not evidence about the scale. */
const LEAST_VALUES = 10;

/**
 * Computes mean, histogram and end effects of shares from 0 to 1 by task, null where a trial has none.
 * @returns the reason of {@link computeMeanInterval} when no value is known
 */
export function computeDimensionSummary(tasks: readonly TaskValues[]) {
  const interval = computeMeanInterval(tasks, { missing: "exclude" });
  if (interval.kind === "unavailable") return interval;
  const { tasks: complete } = applyMissingRule(tasks, "exclude");
  const values = complete.flatMap((task) => task.values);
  return {
    kind: "computed",
    /** Also has the numbers of known and missing values. No figure here includes missing values. */
    interval,
    counts: countBins(values),
    ends: computeEndEffects(values),
  } as const;
}

export type EndEffects = ReturnType<typeof computeEndEffects>;

/** Counts known values at either end of the scale; without any value both are 0. */
export function computeEndEffects(values: readonly number[]) {
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
    /** `graded`: more than 15 % of the values at one end. `two-valued`: all are 0 or 1, so the limit is 85 %. */
    rule: isTwoValued ? "two-valued" : "graded",
    threshold,
    /** False with fewer than 10 values. */
    isFloor: isEnough && floorShare > threshold,
    isCeiling: isEnough && ceilingShare > threshold,
  } as const;
}

export const DIMENSION_EDGES: readonly number[] = Array.from({ length: 11 }, (_, index) => index / 10);

/** Counts shares from 0 to 1 between the edges, the last bin with its upper edge. */
export function countBins(shares: readonly number[]): readonly number[] {
  const bins = Map.groupBy(shares, (share) =>
    share === 1 ? DIMENSION_EDGES.length - 2 : DIMENSION_EDGES.findLastIndex((edge) => share >= edge),
  );
  return DIMENSION_EDGES.slice(1).map((_, bin) => bins.get(bin)?.length ?? 0);
}

export interface RewardPair {
  readonly group: string;
  readonly task: string;
  readonly before: number;
  readonly after: number;
}

export type GroupChange = ReturnType<typeof computeGroupChanges>[number];

/**
 * Computes means and ranks of groups before and after rewards change, over the same trials with finite rewards.
 * @returns the best after the change first, without groups that have no pair
 */
export function computeGroupChanges(pairs: readonly RewardPair[]) {
  const groups = [...Map.groupBy(pairs, ({ group }) => group)].flatMap(([group, own]) => {
    const before = summarise(own, (pair) => pair.before);
    const after = summarise(own, (pair) => pair.after);
    if (before === null || after === null) return [];
    const nChanged = own.filter((pair) => pair.before !== pair.after).length;
    const difference = computeMean(own.map((pair) => pair.after - pair.before));
    return { group, n: own.length, before, after, difference, nChanged };
  });
  const ranksBefore = rankValues(groups.map(({ before }) => before.mean));
  const ranksAfter = rankValues(groups.map(({ after }) => after.mean));
  return groups
    .map((group, index) => ({
      ...group,
      rankBefore: ranksBefore[index] ?? 1,
      rankAfter: ranksAfter[index] ?? 1,
    }))
    .sort((a, b) => a.rankAfter - b.rankAfter || a.rankBefore - b.rankBefore);
}

function summarise(pairs: readonly RewardPair[], pick: (pair: RewardPair) => number): MeanInterval | null {
  const tasks = [...Map.groupBy(pairs, ({ task }) => task)].map(([task, own]): TaskValues => ({
    task,
    values: own.map(pick),
  }));
  const interval = computeMeanInterval(tasks, { missing: "exclude" });
  return interval.kind === "computed" ? interval : null;
}

/** Means closer than this are equal: the same values added in another order. */
const TIE = 1e-12;

/** Returns ranks from 1 for the highest value. Equal values share the better rank and use up the ones below. */
function rankValues(values: readonly number[]): readonly number[] {
  return values.map((value) => 1 + values.filter((other) => other - value > TIE).length);
}

export interface TestedTrial {
  readonly task: string;
  /** True if the test of that name failed; null if it was skipped or its status is unknown. */
  readonly tests: ReadonlyMap<string, boolean | null>;
}

export interface FailRate {
  readonly task: string;
  readonly test: string;
  readonly rate: RateInterval;
  /** Trials of the task with a report in which it did not run or is not named. No rate includes them. */
  readonly nMissing: number;
  readonly estimand: "same-tasks";
}

/**
 * Computes how often each test fails over the trials of its task, with Wilson's interval. Assumes independent trials given their
 * task, so pass the trials of one group.
 * @returns the highest rate first, then by task and name; tests that ran in no trial are omitted
 */
export function computeFailRates(trials: readonly TestedTrial[]): readonly FailRate[] {
  const byTask = Map.groupBy(trials, ({ task }) => task);
  const rates = [...byTask].flatMap(([task, ofTask]) => {
    const names = new Set(ofTask.flatMap(({ tests }) => [...tests.keys()]));
    return [...names].flatMap((test): FailRate[] => {
      const ran = ofTask.flatMap(({ tests }) => tests.get(test) ?? []);
      const rate = computeWilsonInterval(ran.filter((failed) => failed).length, ran.length);
      if (rate.kind === "unavailable") return [];
      return [{ task, test, rate, nMissing: ofTask.length - ran.length, estimand: "same-tasks" }];
    });
  });
  return rates.sort(
    (a, b) => b.rate.rate - a.rate.rate || compare(a.task, b.task) || compare(a.test, b.test),
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

export interface WinBasis {
  readonly nTrials: number;
  /** Attempts without the failure, at least 1, and the sum of their rewards, each 0 to 1. */
  readonly n: number;
  readonly reward: number;
}

/** Gain of a mean reward without a failure, as a fraction of the mean: 0.01 is a point. */
export type ExpectedWin = Exclude<ReturnType<typeof computeExpectedWin>, Unavailable>;

/**
 * Estimates the gain of the mean of `nTotal` trials if the trials of a failure had scored like attempts without it. Each basis is
 * a Beta distribution around its mean reward (Jeffreys: half a success and half a failure added); bases are independent. Their
 * weighted sum is approximated by the Beta distribution of the same mean and variance: exact for one basis, else within 4 % of the
 * range.
 * @param bases - each trial of the failure belongs to exactly one
 * @param recorded - sum of the trials' recorded rewards, each 0 to 1
 * @param nTotal - trials of the mean, those of the failure included; at least 1
 * @returns `no-values` without a basis
 * @see Brown, Cai and DasGupta, "Interval Estimation for a Binomial Proportion" (2001), section 3.1
 */
export function computeExpectedWin(bases: readonly WinBasis[], recorded: number, nTotal: number) {
  const size = bases.reduce((sum, { nTrials }) => sum + nTrials, 0);
  if (size === 0 || bases.some(({ n }) => !(n > 0))) return declareUnavailable("no-values");
  let mean = 0;
  let variance = 0;
  for (const { nTrials, n, reward } of bases) {
    const share = (reward + 0.5) / (n + 1);
    mean += nTrials * share;
    variance += (nTrials * nTrials * share * (1 - share)) / (n + 2);
  }
  const center = mean / size;
  const weight = (center * (1 - center) * size * size) / variance - 1;
  const gain = (share: number) => (share * size - recorded) / nTotal;
  const quantile = (p: number) => gain(computeBetaQuantile(p, center * weight, (1 - center) * weight));
  return {
    kind: "computed",
    /** Negative where the trials score more with the failure than the attempts do without it. */
    expected: gain(center),
    // Lazy: hundreds of failures are ranked by `expected`, and only a few show the interval.
    get low() {
      return quantile((1 - LEVEL) / 2);
    },
    get high() {
      return quantile((1 + LEVEL) / 2);
    },
    most: gain(1),
    level: LEVEL,
    method: "jeffreys",
    estimand: "same-tasks",
  } as const;
}
