import { divideByCount } from "./python/number";
import { pythonSum, type Summation } from "./python/sum";
import { compareCodePoints, type RewardDict } from "./python/value";

export type StepStrategy = "mean" | "final";

export type StepResult = { rewards: RewardDict | null } | null;

/**
 * Returns the verifier result of a multi-step trial, from its steps' results in step order.
 * @param strategy - `final` takes the last step's; `mean` the mean of each reward key over the steps with a result, a missing key
 * counting 0
 * @returns null without a step, a result or a reward key. Keys of a mean are in code point order: Harbor's own order is that of a
 * set
 * @throws PythonError OverflowError where an int beyond the doubles meets a float
 * @see harbor 0.13.1 src/harbor/trial/multi_step.py, `_select_multi_step_reward`
 */
export function aggregateStepRewards(
  steps: readonly StepResult[],
  strategy: StepStrategy,
  summation: Summation = "cpython-3.12",
): StepResult {
  if (strategy === "final") return steps.at(-1) ?? null;
  const valid = steps.filter((step) => step !== null).map((step) => step.rewards ?? new Map<string, never>());
  const keys = [...new Set(valid.flatMap((rewards) => [...rewards.keys()]))].sort(compareCodePoints);
  if (keys.length === 0) return null;
  const means: RewardDict = new Map();
  for (const key of keys) {
    const total = pythonSum(
      valid.map((rewards) => rewards.get(key) ?? 0n),
      summation,
    );
    means.set(key, divideByCount(total, valid.length));
  }
  return { rewards: means };
}
