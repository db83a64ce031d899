import { computeNormalQuantile } from "./distributions";
import { LEVEL, type RateInterval, computeWilsonInterval } from "./rate-interval";
import { compareText, computePearson } from "./task-values";
import type { UnavailableReason } from "./unavailable";

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
    (a, b) => b.rate.rate - a.rate.rate || compareText(a.task, b.task) || compareText(a.test, b.test),
  );
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
