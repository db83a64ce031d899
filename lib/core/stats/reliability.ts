import {
  type ResampleOptions,
  type ResampledInterval,
  type Weights,
  computeResampledFigures,
  createColumnSums,
} from "./bootstrap";
import { DIMENSION_EDGES, countBins } from "./distribution";
import type { TaskCounts } from "./pass-curves";
import { type RateInterval, computeClopperPearsonInterval, computeWilsonInterval } from "./rate-interval";
import { ROUNDING, computeMean } from "./task-values";
import { type Computed, type Unavailable, declareUnavailable } from "./unavailable";

export interface ReliabilityFigure {
  readonly kind: "computed";
  readonly value: number;
  readonly bounds: ResampledInterval | Unavailable;
}

/** One-way analysis of variance from sums over tasks, the last of c^2 / n. NaN where undefined. */
function analyse(
  nTasks: number,
  nTrials: number,
  squaredSizes: number,
  passes: number,
  squaredPasses: number,
) {
  // Effective size of a task where sizes differ.
  const size = (nTrials - squaredSizes / nTrials) / (nTasks - 1);
  const meanBetween = (squaredPasses - passes ** 2 / nTrials) / (nTasks - 1);
  const within = (passes - squaredPasses) / (nTrials - nTasks);
  const total = meanBetween + (size - 1) * within;
  return {
    within,
    between: meanBetween - within <= ROUNDING ? 0 : (meanBetween - within) / size,
    // Nothing varies where the total is 0 but for rounding.
    correlation: total > ROUNDING ? (meanBetween - within) / total : Number.NaN,
  };
}

type Counts = Pick<TaskCounts, "n" | "c">;

/** Returns the chance that two different attempts end alike, 0 to 1. */
function computeChanceConsistency({ n, c }: Counts): number {
  return (c * (c - 1) + (n - c) * (n - c - 1)) / (n * (n - 1));
}

/**
 * Returns the mean chance (0 to 1) that two different attempts of one row end alike, over rows with at least two attempts, equally
 * weighted. Also returns the number of those rows; null if there is none.
 * @param rows - attempts and passes: of several tasks, or of several agents at one task
 */
export function computePairConsistency(
  rows: readonly Counts[],
): { readonly value: number; readonly n: number } | null {
  const repeated = rows.filter(({ n }) => n >= 2);
  if (repeated.length === 0) return null;
  return { value: computeMean(repeated.map(computeChanceConsistency)), n: repeated.length };
}

export type Reliability = Computed<typeof computeReliability>;

/**
 * Computes how tasks split, how consistent attempts are, and where the variance comes from.
 * @returns `no-tasks`; figures are `too-few-attempts` where no task has two attempts, `one-task` where one has, `no-variation`
 * where all attempts end alike
 * @see Donner, "A Review of Inference Procedures for the Intraclass Correlation Coefficient" (1986), unequal sizes
 */
export function computeReliability(tasks: readonly TaskCounts[], options: ResampleOptions = {}) {
  if (tasks.length === 0) return declareUnavailable("no-tasks");
  const repeated = tasks.filter(({ n }) => n >= 2);
  const { consistency, correlation, withinTasks, betweenTasks } = computeFigures(repeated, options);
  const count = (matches: (task: TaskCounts) => boolean) =>
    repeated.length === 0
      ? declareUnavailable("too-few-attempts")
      : computeShareOfTasks(repeated.filter(matches).length, repeated.length);
  return {
    kind: "computed",
    nTasks: tasks.length,
    /** Tasks with at least two attempts; consistency, variances and correlation use only these. */
    nRepeated: repeated.length,
    nTrials: tasks.reduce((sum, { n }) => sum + n, 0),
    /** Shares of the repeated tasks where every attempt passed, some did, none did. */
    always: count(({ n, c }) => c === n),
    sometimes: count(({ n, c }) => c > 0 && c < n),
    never: count(({ c }) => c === 0),
    /** Chance that any two attempts end alike, of any tasks: p^2 + (1 - p)^2 over trials of repeated tasks. */
    consistencyByChance: computeConsistencyByChance(repeated),
    /** Unbiased chance that two attempts of a task end alike, each task weighing the same. */
    consistency,
    /** ICC(1): the share of all variance that is between tasks; may be slightly negative. */
    correlation,
    withinTasks,
    /** Variance of tasks' rates, without the attempts' own variance; at least 0. */
    betweenTasks,
    solveRates: {
      bins: countBins(tasks.map(({ n, c }) => c / n)).map((count, bin) => ({
        low: DIMENSION_EDGES[bin] ?? 0,
        high: DIMENSION_EDGES[bin + 1] ?? 1,
        count,
      })),
    },
  } as const;
}

/** With fewer tasks Wilson's interval undercovers near an end. README.md has its exact coverage. */
const FEWEST_FOR_WILSON = 50;

function computeShareOfTasks(count: number, nTasks: number): RateInterval | Unavailable {
  return nTasks < FEWEST_FOR_WILSON
    ? computeClopperPearsonInterval(count, nTasks)
    : computeWilsonInterval(count, nTasks);
}

function computeConsistencyByChance(tasks: readonly TaskCounts[]): number | null {
  const nTrials = tasks.reduce((sum, { n }) => sum + n, 0);
  const rate = tasks.reduce((sum, { c }) => sum + c, 0) / nTrials;
  return nTrials === 0 ? null : rate ** 2 + (1 - rate) ** 2;
}

function computeFigures(repeated: readonly TaskCounts[], options: ResampleOptions) {
  const sumColumns = createColumnSums(
    repeated.map((task) => [
      task.n,
      task.n ** 2,
      task.c,
      task.c ** 2 / task.n,
      computeChanceConsistency(task),
      1,
    ]),
  );
  const compute = (weights: Weights, figures: Float64Array) => {
    const [nTrials = 0, squaredSizes = 0, passes = 0, squaredPasses = 0, alike = 0, nTasks = 0] =
      sumColumns(weights);
    const { between, within, correlation } = analyse(nTasks, nTrials, squaredSizes, passes, squaredPasses);
    figures.set([alike / nTasks, correlation, within, between]);
  };
  const figures = computeResampledFigures({ nRows: repeated.length, nFigures: 4, compute }, options);
  const pick = (place: number): ReliabilityFigure | Unavailable => {
    const figure = figures[place];
    if (repeated.length === 0) return declareUnavailable("too-few-attempts");
    // A single task has a consistency and a variance within, but nothing between tasks.
    if (repeated.length === 1 && (place === 1 || place === 3)) return declareUnavailable("one-task");
    if (figure === undefined || Number.isNaN(figure.value)) return declareUnavailable("no-variation");
    return { kind: "computed", ...figure };
  };
  return { consistency: pick(0), correlation: pick(1), withinTasks: pick(2), betweenTasks: pick(3) };
}
