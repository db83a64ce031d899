import { divideByCount, isGreater } from "./python/number";
import { pythonSum, type Summation } from "./python/sum";
import {
  compareCodePoints,
  PythonError,
  recoverPython,
  type PyExceptionName,
  type PyNumber,
  type RewardDict,
} from "./python/value";

/** Harbor's built-in metrics; `mean` is the default. */
export type MetricName = "mean" | "max" | "min" | "sum";

/** `error.name` is the Python exception class. */
export type MetricResult =
  | { readonly ok: true; readonly value: RewardDict }
  | { readonly ok: false; readonly error: { readonly name: PyExceptionName } };

/**
 * Computes one metric over the trials of an evals group.
 * @param rewards - one element per trial in trial order; null where the trial has no rewards (counts 0)
 * @returns one entry, keyed by the metric's name. With several distinct reward keys one entry per key in code point order, a
 * missing key counting 0. An error where Harbor raises: no trials for `mean`, `max`, `min`, or an int beyond the doubles meeting a
 * float
 * @see harbor 0.13.1 src/harbor/metrics/base.py, `aggregate_reward_dicts`
 */
export function aggregateRewards(
  metric: MetricName,
  rewards: readonly (ReadonlyMap<string, PyNumber> | null)[],
  summation: Summation = "cpython-3.12",
): MetricResult {
  return recoverPython<MetricResult>(
    () => ({ ok: true, value: computeMetric(metric, rewards, summation) }),
    (error) => ({ ok: false, error: { name: error.name } }),
  );
}

function computeMetric(
  metric: MetricName,
  rewards: readonly (ReadonlyMap<string, PyNumber> | null)[],
  summation: Summation,
): RewardDict {
  const keys = [...new Set(rewards.flatMap((reward) => (reward === null ? [] : [...reward.keys()])))];
  if (keys.length <= 1) {
    const values = rewards.map((reward) => firstValue(reward) ?? 0n);
    return new Map([[metric, aggregate(metric, values, summation)]]);
  }
  return new Map(
    keys.sort(compareCodePoints).map((key) => {
      const values = rewards.map((reward) => reward?.get(key) ?? 0n);
      return [key, aggregate(metric, values, summation)];
    }),
  );
}

function firstValue(reward: ReadonlyMap<string, PyNumber> | null): PyNumber | undefined {
  return reward?.values().next().value;
}

function aggregate(metric: MetricName, values: readonly PyNumber[], summation: Summation): PyNumber {
  switch (metric) {
    case "mean":
      return divideByCount(pythonSum(values, summation), values.length);
    case "sum":
      return pythonSum(values, summation);
    case "max":
      return pickFirst(values, (value, best) => isGreater(value, best));
    case "min":
      return pickFirst(values, (value, best) => isGreater(best, value));
  }
}

/** `max` and `min` keep the first of equals. NaN is never better, so it stays only in first place. */
function pickFirst(
  values: readonly PyNumber[],
  isBetter: (value: PyNumber, best: PyNumber) => boolean,
): PyNumber {
  const [first, ...others] = values;
  if (first === undefined) throw new PythonError("ValueError", "iterable argument is empty");
  let best = first;
  for (const value of others) if (isBetter(value, best)) best = value;
  return best;
}
