import { computeDifferenceLimits, computeMeanDifference } from "./difference-bounds";
import { DEFAULT_SEED } from "./random";
import type { Limits } from "./rate-interval";
import { declareUnavailable, type Unavailable } from "./unavailable";

export interface TaskShares {
  readonly count: number;
  readonly n: number;
  readonly othersCount: number;
  readonly nOthers: number;
}

/** Difference in an event's frequency between a group and others at the same tasks, each task weighing the same. */
export interface ShareDifference {
  readonly kind: "computed";
  /** -1 to 1. */
  readonly difference: number;
  readonly bounds: Limits;
  readonly nTasks: number;
}

/**
 * Compares shares by task.
 * @param nComparisons - joint comparisons that the interval holds for
 * @returns `one-task` where both tried fewer than two tasks, and as `computeDifferenceLimits`
 */
export function computeShareDifference(
  tasks: readonly TaskShares[],
  nComparisons: number,
): ShareDifference | Unavailable {
  const differences = tasks.flatMap(({ count, n, othersCount, nOthers }) =>
    n > 0 && nOthers > 0 ? [count / n - othersCount / nOthers] : [],
  );
  if (differences.length < 2) return declareUnavailable("one-task");
  const bounds = computeDifferenceLimits(differences, { isRate: true, seed: DEFAULT_SEED, nComparisons });
  if (bounds.kind === "unavailable") return bounds;
  return {
    kind: "computed",
    difference: computeMeanDifference(differences),
    bounds,
    nTasks: differences.length,
  };
}
