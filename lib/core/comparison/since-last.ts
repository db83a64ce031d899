import { sumBy } from "@/lib/core/domain/sum-by";
import { type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import {
  computeMcNemarTest,
  computePairedComparison,
  countSuccesses,
  computeCostPerPass,
  computeMeanInterval,
} from "@/lib/core/stats";

import type { NamedRuns, JoinedRuns } from "./run";
import { listRewardKeys, listTaskValues, readRewardAt, groupByTask } from "./trials";
import { describePair } from "./words";

type Runs = Pick<NamedRuns, "trials">;

const RULE = { threshold: 1, missing: "zero" } as const;

/** Compares a run with the previous run of the same agent. A task passes when any of its attempts does. */
export function computeSinceLast(before: Runs, now: Runs) {
  const key = listRewardKeys([before, now])[0]?.key ?? null;
  const isScored = ({ trials }: Runs) =>
    key !== null && trials.some((trial) => readRewardAt(trial, key) !== null);
  if (key === null || !isScored(before) || !isScored(now)) return null;
  const values = [listTaskValues(before.trials, key), listTaskValues(now.trials, key)] as const;
  const [old, own] = [countSuccesses(values[0], RULE), countSuccesses(values[1], RULE)];
  const oldOf = new Map(old.map((task) => [task.task, task]));
  const common = own.filter(({ task }) => oldOf.has(task));
  const select = (passedBefore: boolean, passes: boolean) =>
    common
      .filter(({ task, c }) => (oldOf.get(task)?.c ?? 0) > 0 === passedBefore && c > 0 === passes)
      .map(({ task }) => task);
  const rollouts = new Set(before.trials.flatMap(({ rollout }) => rollout ?? []));
  const names = new Set([...before.trials, ...now.trials].map(({ taskName }) => taskName));
  const countMost = (counts: typeof old) => counts.reduce((most, { n }) => Math.max(most, n), 0);
  return {
    key,
    newPasses: select(false, true),
    newFailures: select(true, false),
    sameFailures: select(false, false),
    samePasses: select(true, true),
    /** Tasks of either run without a finished trial in the other. */
    nNotInBoth: names.size - common.length,
    /** Most finished attempts per task, in the older and the newer run. */
    attempts: [countMost(old), countMost(own)] as const,
    /** Trials of the newer run that grade a rollout of the older one. */
    nSameRollouts: now.trials.filter(({ rollout }) => rollout !== null && rollouts.has(rollout)).length,
    /** Chance of a split of the changed tasks at least as uneven; only with one attempt per task. */
    chance: computeMcNemarTest(own, old),
    words: describePair(
      { first: "This run", second: "the run before" },
      computePairedComparison(values[1], values[0], { missing: RULE.missing }),
      { kind: "unavailable", reason: "several-attempts" },
    ),
  };
}

export function summariseSet({ trials }: Pick<JoinedRuns, "trials">) {
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
    /** Mean reward with its interval, tasks as the sample; a missing reward counts 0. */
    interval: computeMeanInterval(listTaskValues(trials, key), { missing: "zero" }),
    counts: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, byOutcome.get(outcome) ?? 0])) as Record<
      Outcome,
      number
    >, // All of them.
    nExceptions: trials.filter(({ exceptionType }) => exceptionType !== null).length,
    /** Cost of the trials that report one; null when none does. */
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    nWithCost: costs.length,
    costPerPass: computeCostPerPass(
      trials.map(({ tokens: { costUsd }, outcome }) => ({ costUsd, isPassed: outcome === "passed" })),
    ),
  };
}
