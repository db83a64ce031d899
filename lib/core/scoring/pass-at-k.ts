import { evalsKey, type EvalsGroup } from "./evals-key";
import { divideByCount } from "./python/number";
import { pythonSum, type Summation } from "./python/sum";
import { isPyNumber, type PyValue } from "./python/value";

export interface PassAtKTrial extends EvalsGroup {
  readonly taskName: string;
  /** Validated rewards; null when there is no verifier result. */
  readonly rewards: PyValue;
}

/**
 * Returns the k for which Harbor reports pass@k: powers of two from 2 and multiples of five, ascending, up to the fewest attempts
 * of any task.
 * @see harbor 0.13.1 src/harbor/utils/pass_at_k.py, `_eligible_k_values`
 */
export function eligibleK(maxK: number): number[] {
  const values = new Set<number>();
  for (let k = 2; k <= maxK; k *= 2) values.add(k);
  for (let k = 5; k <= maxK; k += 5) values.add(k);
  return [...values].sort((a, b) => a - b);
}

/**
 * Returns the probability that at least one of `k` of `n` attempts, `c` of them successes, succeeded; exactly 1 when fewer than
 * `k` failed.
 * @remarks Factors are multiplied in ascending i: other orders differ in the last bit.
 * @see harbor 0.13.1 src/harbor/utils/pass_at_k.py, `_pass_at_k_for_task`
 */
export function passAtKForTask(n: number, c: number, k: number): number {
  if (n - c < k) return 1;
  let product = 1;
  for (let i = 0; i < k; i++) product *= (n - c - i) / (n - i);
  return 1 - product;
}

/**
 * Computes Harbor's pass@k of every evals group, from all trials of the job in trial order.
 * @returns evals key -> k -> value, groups in first-seen order, k ascending. Omits a group when a task has fewer than two
 * attempts, or any trial has other than one reward key or a value that is not 0 or 1. A trial without rewards is a failed attempt.
 * @see harbor 0.13.1 src/harbor/utils/pass_at_k.py, `compute_pass_at_k_by_evals`
 */
export function passAtKByEvals(
  trials: readonly PassAtKTrial[],
  summation: Summation = "cpython-3.12",
): Map<string, Map<number, number>> {
  const groups = new Map<string, PassAtKTrial[]>();
  for (const trial of trials) {
    const key = evalsKey(trial);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [trial]);
    else group.push(trial);
  }
  const byEvals = new Map<string, Map<number, number>>();
  for (const [key, group] of groups) {
    const byK = passAtKForGroup(group, summation);
    if (byK.size > 0) byEvals.set(key, byK);
  }
  return byEvals;
}

/** Computes pass@k of one group: k -> value, k ascending; empty where {@link passAtKByEvals} omits the group. */
export function passAtKForGroup(
  trials: readonly Omit<PassAtKTrial, keyof EvalsGroup>[],
  summation: Summation = "cpython-3.12",
): Map<number, number> {
  const byK = new Map<number, number>();
  const tasks = countAttempts(trials);
  if (tasks === null) return byK;
  for (const k of eligibleK(tasks.reduce((least, task) => Math.min(least, task.n), Infinity))) {
    const values = tasks.map((task) => passAtKForTask(task.n, task.c, k));
    byK.set(k, divideByCount(pythonSum(values, summation), values.length));
  }
  return byK;
}

interface AttemptCount {
  n: number;
  c: number;
}

/** Counts attempts and successes per task in first-seen order; null when any trial is not a plain pass or fail. */
function countAttempts(trials: readonly Omit<PassAtKTrial, keyof EvalsGroup>[]): AttemptCount[] | null {
  const counts = new Map<string, AttemptCount>();
  for (const trial of trials) {
    const success = readSuccess(trial.rewards);
    if (success === null) return null;
    const count = counts.get(trial.taskName) ?? { n: 0, c: 0 };
    count.n++;
    count.c += success;
    counts.set(trial.taskName, count);
  }
  return [...counts.values()];
}

/** Returns 1 or 0 for a pass or a fail, null for rewards that disable pass@k. */
function readSuccess(rewards: PyValue): 0 | 1 | null {
  if (rewards === null) return 0;
  if (!(rewards instanceof Map) || rewards.size !== 1) return null;
  const [value] = rewards.values();
  if (!isPyNumber(value)) return null;
  const number = Number(value);
  return number === 1 ? 1 : number === 0 ? 0 : null;
}
