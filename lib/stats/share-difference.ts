import { computeDifferenceLimits, computeMeanDifference } from "./difference-bounds";
import { DEFAULT_SEED } from "./random";
import type { Limits } from "./rate-interval";
import { declareUnavailable, type Unavailable } from "./unavailable";

/** How often something happened to one group and to others at one task. */
export interface TaskShares {
  readonly count: number;
  readonly n: number;
  readonly othersCount: number;
  readonly nOthers: number;
}

/** How much more often something happens to a group than to others at the same tasks, each task weighing the same. */
export interface ShareDifference {
  readonly kind: "computed";
  /** -1 to 1. */
  readonly difference: number;
  /** See `computeDifferenceBounds`. */
  readonly bounds: Limits;
  /** Tasks that both tried. */
  readonly nTasks: number;
}

/**
 * Compares shares by task.
 *
 * @param nComparisons - differences that are looked at together; the interval is then that of all of them
 * @returns `one-task` where fewer than two tasks were tried by both, and as `computeDifferenceLimits`
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
