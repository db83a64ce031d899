import "server-only";

import type { JobEntry } from "@/lib/domain/catalog";
import type { Outcome, TrialRecord } from "@/lib/domain/trial";
import { selectHeadlineReward } from "@/lib/domain/trial";
import type { Figure, RecomputedGroup } from "@/lib/domain/verification";
import { dumpPythonJson, evalsKey } from "@/lib/scoring";
import { computeDistribution, computeMeanInterval, type MeanInterval, type Unavailable } from "@/lib/stats";

/** How many trials had each outcome; an outcome nobody had is 0. */
export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** A number as Python writes it, beside its double. */
export interface ExactValue {
  readonly value: number;
  readonly text: string;
}

/** One evals group of a job with what every page says about it. */
export interface GroupSummary {
  readonly group: RecomputedGroup;
  /** Every trial of the group in directory order, running, missing and unreadable ones included. */
  readonly trials: readonly TrialRecord[];
  readonly nTasks: number;
  /** Recomputed headline: the first metric's only value, or its `reward` key; null when there is none. */
  readonly headline: (ExactValue & { readonly key: string }) | null;
  /** Number of reward keys that the first metric carries. */
  readonly nRewardKeys: number;
  /** Mean of the headline reward over trials with its interval; a missing reward counts 0, as Harbor scores it. */
  readonly interval: MeanInterval | Unavailable;
  readonly counts: OutcomeCounts;
  /** Trials that carry an exception, whatever their outcome. */
  readonly nExceptions: number;
  /** Total cost of the trials that report one; null when none does. */
  readonly costUsd: number | null;
  readonly nWithCost: number;
  /** Whether result.json records any metric; without one the seal speaks of reward files alone. */
  readonly hasRecordedMetric: boolean;
  /** Units in the last place of the figure furthest off; null when no figure is off by ulps only. */
  readonly ulps: number | null;
}

const summaries = new WeakMap<JobEntry, readonly GroupSummary[]>();

/** Summaries of a job's evals groups in recorded order. Computed once for each version of a job. */
export function summariseGroups(entry: JobEntry): readonly GroupSummary[] {
  const known = summaries.get(entry);
  if (known) return known;
  const trialsByGroup = Map.groupBy(entry.trials, evalsKey);
  const figuresByGroup = Map.groupBy(entry.report.figures, (figure) => figure.group);
  const summary = entry.report.groups.map((group) =>
    summariseGroup(group, trialsByGroup.get(group.key) ?? [], figuresByGroup.get(group.key) ?? []),
  );
  summaries.set(entry, summary);
  return summary;
}

function summariseGroup(
  group: RecomputedGroup,
  trials: readonly TrialRecord[],
  figures: readonly Figure[],
): GroupSummary {
  const tasks = [...Map.groupBy(trials, (trial) => trial.taskName)].map(([task, attempts]) => ({
    task,
    values: attempts.filter((trial) => trial.state === "finished").map(readReward),
  }));
  const costs = computeDistribution(trials.map((trial) => trial.tokens.costUsd));
  const ulps = figures.flatMap((figure) => figure.ulps ?? []);
  return {
    group,
    trials,
    nTasks: tasks.length,
    ...selectHeadline(group),
    interval: computeMeanInterval(
      tasks.filter((task) => task.values.length > 0),
      { missing: "zero" },
    ),
    counts: countOutcomes(trials),
    nExceptions: trials.filter((trial) => trial.exception !== null).length,
    costUsd: costs.kind === "computed" ? costs.sum : null,
    nWithCost: costs.kind === "computed" ? costs.n : 0,
    hasRecordedMetric: figures.some((figure) => figure.kind === "metric" && figure.recorded !== null),
    ulps: ulps.length === 0 ? null : Math.max(...ulps),
  };
}

function readReward(trial: TrialRecord): number | null {
  const reward = selectHeadlineReward(trial.rewards);
  return reward === null ? null : Number(reward.value);
}

function selectHeadline(group: RecomputedGroup): Pick<GroupSummary, "headline" | "nRewardKeys"> {
  const metric = group.metrics[0]?.value ?? null;
  if (metric === null) return { headline: null, nRewardKeys: 0 };
  const key = metric.size === 1 ? [...metric.keys()][0] : "reward";
  const value = key === undefined ? undefined : metric.get(key);
  if (key === undefined || value === undefined) return { headline: null, nRewardKeys: metric.size };
  return { headline: { key, value: Number(value), text: dumpPythonJson(value) }, nRewardKeys: metric.size };
}

/** Counts outcomes over any trials. */
function countOutcomes(trials: readonly Pick<TrialRecord, "outcome">[]): OutcomeCounts {
  const counts: Record<Outcome, number> = {
    passed: 0,
    partial: 0,
    failed: 0,
    errored: 0,
    timeout: 0,
    cancelled: 0,
    running: 0,
    missing: 0,
    unreadable: 0,
    unscored: 0,
  };
  for (const { outcome } of trials) counts[outcome]++;
  return counts;
}
