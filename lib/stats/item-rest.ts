import { computePearson } from "./correlation";
import { computeNormalQuantile } from "./distributions";
import { LEVEL } from "./rate-interval";
import type { UnavailableReason } from "./unavailable";

/** How passing one task goes together with passing all others, over runs. */
export interface ItemRest {
  readonly method: "pearson";
  /** Runs that tried the task and enough of the others. */
  readonly n: number;
  /** Runs that tried the task and too few of the others: in no figure. */
  readonly nLeftOut: number;
  /** -1 to 1; null where it is not defined. */
  readonly r: number | null;
  /** Fisher's interval of `r` at 0.95; null below four runs and where `r` is -1 or 1. */
  readonly low: number | null;
  readonly high: number | null;
  /** Why there is no `r`: fewer than three runs, or one of the two is the same in every run. */
  readonly reason: Extract<UnavailableReason, "few-runs" | "constant"> | null;
}

/** The share of all tasks that a run must have tried to be compared with others by its score. */
const LEAST_COVERAGE = 0.5;
const LEAST_RUNS = 3;
/** Shares of tasks differ by far more; what is below comes of rounding. */
const LEAST_SPREAD = 1e-10;

/**
 * Correlates each task with the total score of the other tasks. The unit is a run, which is one group of one job: its share of
 * passed attempts at the task against the mean of its shares at the other tasks that it tried, each weighing the same. The task
 * itself is never part of what it is compared with. Runs count alike whatever their attempts, and runs of one agent are counted
 * as independent.
 *
 * @param runs - one row a run, all of the same length, one share (0 to 1) a task in one order; null where the run has none
 * @returns one entry a task, in that order
 * @see Nunnally and Bernstein, "Psychometric Theory" (1994), corrected item-total correlation; the interval as in SciPy's `pearsonr`
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
