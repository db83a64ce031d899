import { computeBetaQuantile } from "./distributions";
import type { TaskCounts } from "./pass-at-k";
import { selectKs } from "./pass-curves";
import { LEVEL } from "./rate-interval";
import { computeReliability } from "./reliability";
import { declareUnavailable } from "./unavailable";
import type { Unavailable } from "./unavailable";

/** What is believed of these tasks' mean after seeing their attempts. */
export interface FixedTaskValue {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
}

/** pass@k and pass^k at one k, over the tasks with at least k attempts. */
export interface FixedTaskPoint {
  readonly k: number;
  readonly nTasks: number;
  readonly passAtK: FixedTaskValue;
  readonly passHatK: FixedTaskValue;
}

/** Curves for the same tasks run again: tasks are no sample, only attempts are chance. */
export interface FixedTaskCurve {
  readonly kind: "computed";
  readonly estimand: "same-tasks";
  /**
   * What a task's solve rate is believed to be before its attempts. `fitted-beta`: as spread as these tasks' rates are.
   * `uniform-beta`: anything alike, which pulls every task to a half.
   */
  readonly method: "fitted-beta" | "uniform-beta";
  readonly prior: { readonly a: number; readonly b: number };
  readonly points: readonly FixedTaskPoint[];
  readonly nTasks: number;
  readonly level: number;
}

/** Tasks that do not differ are given a prior no narrower, tasks that never waver one no wider. */
const CORRELATION_RANGE = { low: 0.001, high: 0.99 };

/**
 * Bands of pass@k and pass^k for the same tasks run again, from a beta distribution of every task's solve rate. Mean and
 * variance over tasks are exact; the band is the beta distribution with that mean and variance.
 *
 * @param options.prior - `fitted` unless given; `uniform` only suits a handful of tasks with many attempts
 * @returns `no-tasks`; with a fitted prior `too-few-attempts` or `one-task` where tasks are not repeated, `no-variation`
 *   where all attempts end alike
 */
export function computeFixedTaskCurve(
  tasks: readonly TaskCounts[],
  options: { readonly prior?: "fitted" | "uniform" } = {},
): FixedTaskCurve | Unavailable {
  if (tasks.length === 0) return declareUnavailable("no-tasks");
  const isUniform = options.prior === "uniform";
  const prior = isUniform ? { kind: "computed" as const, a: 1, b: 1 } : fitPrior(tasks);
  if (prior.kind === "unavailable") return prior;
  const maxK = tasks.reduce((most, { n }) => Math.max(most, n), 0);
  const points = selectKs(maxK).map((k) => {
    const usable = tasks.filter(({ n }) => n >= k);
    const fails = usable.map(({ n, c }) => describePower(prior.b + n - c, prior.a + c, k));
    const passes = usable.map(({ n, c }) => describePower(prior.a + c, prior.b + n - c, k));
    return {
      k,
      nTasks: usable.length,
      passAtK: describeMean(fails.map(({ mean, variance }) => ({ mean: 1 - mean, variance }))),
      passHatK: describeMean(passes),
    };
  });
  return {
    kind: "computed",
    estimand: "same-tasks",
    method: isUniform ? "uniform-beta" : "fitted-beta",
    prior: { a: prior.a, b: prior.b },
    points,
    nTasks: tasks.length,
    level: LEVEL,
  };
}

function fitPrior(
  tasks: readonly TaskCounts[],
): { readonly kind: "computed"; readonly a: number; readonly b: number } | Unavailable {
  const reliability = computeReliability(tasks, { resamples: 1 });
  if (reliability.kind === "unavailable") return reliability;
  if (reliability.correlation.kind === "unavailable") return reliability.correlation;
  const { low, high } = CORRELATION_RANGE;
  const correlation = Math.min(high, Math.max(low, reliability.correlation.value));
  const nTrials = tasks.reduce((sum, { n }) => sum + n, 0);
  const rate = tasks.reduce((sum, { c }) => sum + c, 0) / nTrials;
  // Two attempts of a beta-binomial task correlate by 1 / (a + b + 1).
  const size = 1 / correlation - 1;
  return { kind: "computed", a: rate * size, b: (1 - rate) * size };
}

/** Mean and variance of the k-th power of a Beta(a, b) variable. */
function describePower(a: number, b: number, k: number): { mean: number; variance: number } {
  const mean = computePowerMean(a, b, k);
  return { mean, variance: Math.max(0, computePowerMean(a, b, 2 * k) - mean * mean) };
}

/** B(a + k, b) / B(a, b) as a product. */
function computePowerMean(a: number, b: number, k: number): number {
  let mean = 1;
  for (let i = 0; i < k; i++) mean *= (a + i) / (a + b + i);
  return mean;
}

function describeMean(
  parts: readonly { readonly mean: number; readonly variance: number }[],
): FixedTaskValue {
  const expected = parts.reduce((sum, { mean }) => sum + mean, 0) / parts.length;
  const variance = parts.reduce((sum, part) => sum + part.variance, 0) / parts.length ** 2;
  const size = (expected * (1 - expected)) / variance - 1;
  const tail = (1 - LEVEL) / 2;
  const read = (p: number) => computeBetaQuantile(p, expected * size, (1 - expected) * size);
  return { expected, low: read(tail), high: read(1 - tail) };
}
