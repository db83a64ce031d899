import { sumBy } from "@/lib/core/domain/sum-by";
import { type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import {
  computeCostPerPass,
  computeMeanInterval,
  type MeanInterval,
  type Unavailable,
} from "@/lib/core/stats";

import type { JoinedRuns } from "./run";
import { groupByTask, listRewardKeys, listTaskValues } from "./trials";

interface SetSummary {
  readonly nTrials: number;
  readonly nFinished: number;
  readonly nTasks: number;
  readonly key: string;
  readonly nRewardKeys: number;
  /** Mean reward with its interval, tasks as the sample; a missing reward counts 0. */
  readonly interval: MeanInterval | Unavailable;
  readonly counts: Readonly<Record<Outcome, number>>;
  readonly nExceptions: number;
  /** Cost of the trials that report one; null when none does. */
  readonly costUsd: number | null;
  readonly nWithCost: number;
  readonly costPerPass: number | null;
}

export function summariseSet({ trials }: Pick<JoinedRuns, "trials">): SetSummary {
  const keys = listRewardKeys([{ trials }]);
  const key = keys[0]?.key ?? "reward";
  const byOutcome = sumBy(trials, ({ outcome }) => outcome);
  const costs = trials.flatMap(({ tokens }) => tokens.costUsd ?? []);
  return {
    nTrials: trials.length,
    nFinished: trials.filter(({ state }) => state === "finished").length,
    nTasks: groupByTask(trials).size,
    key,
    nRewardKeys: keys.length,
    interval: computeMeanInterval(listTaskValues(trials, key), { missing: "zero" }),
    counts: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, byOutcome.get(outcome) ?? 0])) as Record<
      Outcome,
      number
    >, // All of them.
    nExceptions: trials.filter(({ exceptionType }) => exceptionType !== null).length,
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    nWithCost: costs.length,
    costPerPass: computeCostPerPass(
      trials.map(({ tokens: { costUsd }, outcome }) => ({ costUsd, isPassed: outcome === "passed" })),
    ),
  };
}
