import { sumBy } from "@/lib/core/domain/sum-by";
import { type Outcome, OUTCOMES } from "@/lib/core/domain/trial";
import {
  computeMcNemarTest,
  computePairedComparison,
  countSuccesses,
  type McNemarTest,
  type Unavailable,
  computeCostPerPass,
  computeMeanInterval,
  type MeanInterval,
} from "@/lib/core/stats";

import type { NamedRuns, JoinedRuns } from "./run";
import { listRewardKeys, listTaskValues, readRewardAt, groupByTask } from "./trials";
import { describePair, type PairWords } from "./words";

/** A run compared with the previous run of the same agent. A task passes when any of its attempts does. */
interface SinceLast {
  readonly key: string;
  readonly newPasses: readonly string[];
  readonly newFailures: readonly string[];
  readonly sameFailures: readonly string[];
  readonly samePasses: readonly string[];
  /** Tasks of either run without a finished trial in the other. */
  readonly nNotInBoth: number;
  /** Most finished attempts per task, in the older and the newer run. */
  readonly attempts: readonly [before: number, now: number];
  /** Trials of the newer run that grade a rollout of the older one. */
  readonly nSameRollouts: number;
  /** Chance of a split of the changed tasks at least as uneven; only with one attempt per task. */
  readonly chance: McNemarTest | Unavailable;
  readonly words: PairWords;
}

type Runs = Pick<NamedRuns, "trials">;

const RULE = { threshold: 1, missing: "zero" } as const;

export function computeSinceLast(before: Runs, now: Runs): SinceLast | null {
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
    nNotInBoth: names.size - common.length,
    attempts: [countMost(old), countMost(own)],
    nSameRollouts: now.trials.filter(({ rollout }) => rollout !== null && rollouts.has(rollout)).length,
    chance: computeMcNemarTest(own, old),
    words: describePair(
      { first: "This run", second: "the run before" },
      computePairedComparison(values[1], values[0], { missing: RULE.missing }),
      { kind: "unavailable", reason: "several-attempts" },
    ),
  };
}

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
