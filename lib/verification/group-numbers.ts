import type { TrialRecord } from "@/lib/domain/trial";
import type { RecomputedGroup } from "@/lib/domain/verification";
import { aggregateRewards, passAtKForGroup } from "@/lib/scoring";
import type { MetricName, Summation } from "@/lib/scoring";

/** The numbers of one evals group, computed over its trials in one order. */
export interface GroupNumbers {
  readonly metrics: RecomputedGroup["metrics"];
  readonly passAtK: ReadonlyMap<number, number>;
}

/** The metrics that Harbor computes itself, its default first. */
export const METRIC_NAMES: readonly string[] = ["mean", "max", "min", "sum"] satisfies readonly MetricName[];

/** Whether Harbor computes the metric itself; any other type is a script. */
export function isBuiltInMetric(type: string): type is MetricName {
  return METRIC_NAMES.includes(type);
}

/**
 * Every metric and Harbor's pass@k of one group's finished trials, in the order of the operands; a script has neither value
 * nor error.
 */
export function computeGroupNumbers(
  types: readonly string[],
  trials: readonly TrialRecord[],
  summation: Summation,
): GroupNumbers {
  const scored = trials.filter(isOperand);
  const rewards = scored.map((trial) => trial.rewards);
  const metrics = types.map((type) => {
    if (!isBuiltInMetric(type) || (scored.length === 0 && trials.length > 0))
      return { type, value: null, error: null };
    const result = aggregateRewards(type, rewards, summation);
    return result.ok
      ? { type, value: result.value, error: null }
      : { type, value: null, error: result.error.name };
  });
  const passAtK = scored.length === 0 ? new Map<number, number>() : passAtKForGroup(scored, summation);
  return { metrics, passAtK };
}

/** Harbor counts a trial without a reward as 0. A ledger's own mean is over evaluated trials, and so is this one. */
function isOperand({ ledger, rewards }: TrialRecord): boolean {
  return ledger === null || rewards !== null;
}

/** Why Harbor computes no pass@k over these trials; null when it does. */
export function explainIneligible(all: readonly TrialRecord[]): RecomputedGroup["passAtKIneligible"] {
  const trials = all.filter(isOperand);
  if (trials.length === 0) return "no-trials";
  const scored = trials.flatMap((trial) => (trial.rewards === null ? [] : [trial.rewards]));
  if (scored.some((rewards) => rewards.size !== 1)) return "several-reward-keys";
  const isBinary = (value: bigint | number | boolean) => Number(value) === 0 || Number(value) === 1;
  if (!scored.every((rewards) => [...rewards.values()].every(isBinary))) return "reward-not-0-or-1";
  const byTask = Map.groupBy(trials, (trial) => trial.taskName);
  return [...byTask.values()].some((attempts) => attempts.length < 2) ? "one-attempt" : null;
}
