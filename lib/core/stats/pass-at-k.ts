import type { MissingRule, TaskValues } from "./task-values";

export interface TaskCounts {
  readonly task: string;
  /** Attempts, at least 1. */
  readonly n: number;
  /** Successes, 0 to n. */
  readonly c: number;
}

/**
 * Counts attempts and successes per task, in order. Omits a task that the missing rule leaves without values.
 * @param options.threshold - an attempt passes when its value is at least this
 */
export function countSuccesses(
  tasks: readonly TaskValues[],
  options: { readonly threshold: number; readonly missing: MissingRule },
): readonly TaskCounts[] {
  return tasks.flatMap(({ task, values }) => {
    const known = values.filter((value) => value !== null && !Number.isNaN(value));
    const n = options.missing === "zero" ? values.length : known.length;
    // A missing value never passes, not even with a threshold of 0 or less.
    const c = known.filter((value) => value !== null && value >= options.threshold).length;
    return n === 0 ? [] : [{ task, n, c }];
  });
}

/**
 * Returns the chance that at least one of `k` of `n` attempts passes, 1 - C(n - c, k) / C(n, k); null unless k is from 1 to n.
 * @see Chen et al., "Evaluating Large Language Models Trained on Code" (2021), equation 1
 */
export function computePassAtK(n: number, c: number, k: number): number | null {
  if (k < 1 || k > n) return null;
  // The product below would differ from pass^1 and the mean in its last bits.
  if (k === 1) return c / n;
  if (n - c < k) return 1;
  let allFail = 1;
  for (let i = n - c + 1; i <= n; i++) allFail *= 1 - k / i;
  return 1 - allFail;
}

/**
 * Returns the chance that all of `k` of `n` attempts pass, C(c, k) / C(n, k); null unless k is from 1 to n.
 * @see Yao et al., "tau-bench" (2024), pass^k
 */
export function computePassHatK(n: number, c: number, k: number): number | null {
  if (k < 1 || k > n) return null;
  if (c < k) return 0;
  let allPass = 1;
  for (let i = 0; i < k; i++) allPass *= (c - i) / (n - i);
  return allPass;
}
