import { computeNormalQuantile } from "./distributions";
import { LEVEL } from "./rate-interval";
import {
  type CompleteTask,
  type MissingRule,
  type TaskValues,
  applyMissingRule,
  computeMean,
  computeSquaredDeviations,
  haveAllValues,
  pairTasks,
} from "./task-values";
import { type Computed, type Unavailable, declareUnavailable } from "./unavailable";

export interface PairedDesign {
  readonly nTasks: number;
  readonly attemptsFirst: number;
  readonly attemptsSecond: number;
}

/** Default chance to detect a true difference. */
export const POWER = 0.8;

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

export type PairedSpread = Computed<typeof estimatePairedSpread>;

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

export type PairingGain = Computed<typeof computePairingGain>;

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

function computeReach({ power = POWER, level = LEVEL }: PowerOptions): number {
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
