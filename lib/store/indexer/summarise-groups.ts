import type { JobEntry } from "@/lib/core/domain/catalog";
import type { RegradedShare } from "@/lib/core/domain/lineage";
import { readCost } from "@/lib/core/domain/spending";
import { sumBy } from "@/lib/core/domain/sum-by";
import { groupByTask } from "@/lib/core/domain/task-labels";
import { countsUnder, OUTCOMES, selectHeadlineReward, type Trial } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { Figure, RecomputedGroup } from "@/lib/core/domain/verification";
import { dumpPythonJson, type ScoringRule } from "@/lib/core/scoring";
import { computeCostPerPass, computeDistribution, computeMeanInterval } from "@/lib/core/stats";
import type { GroupSummary, OutcomeCounts } from "@/lib/store/tables";

import type { DividedGroup, DividedGroups } from "./divide-groups";

/** Summaries of a job's evals groups in recorded order. */
export function summariseGroups(entry: JobEntry, divided: DividedGroups): readonly GroupSummary[] {
  const trialsByGroup = Map.groupBy(entry.trials, ({ groupKey }) => groupKey);
  const figuresByGroup = Map.groupBy(entry.report.figures, (figure) => figure.group);
  const recordedGroups = new Map(entry.job.recorded?.groups.map((group) => [group.key, group]));
  return entry.report.groups.map((group) => ({
    ...summariseGroup(
      entry.job.scoringRule,
      group,
      trialsByGroup.get(group.key) ?? [],
      figuresByGroup.get(group.key) ?? [],
    ),
    recordedPassAtK: recordedGroups.get(group.key)?.passAtK ?? null,
    setups: summariseSetups(entry.job.scoringRule, divided.byGroup.get(group.key)),
    setup: null,
  }));
}

function summariseSetups(rule: ScoringRule, divided: DividedGroup | undefined): GroupSummary["setups"] {
  if (divided === undefined) return null;
  const parts = divided.parts.map(({ group, trials, figures, setup }) => ({
    summary: { ...summariseGroup(rule, group, trials, figures), recordedPassAtK: null, setups: null, setup },
    figures: figures.map(({ kind, path, recomputed }) => ({ kind, path, recomputed })),
  }));
  return { differences: divided.differences, parts };
}

function summariseGroup(
  rule: ScoringRule,
  group: RecomputedGroup,
  trials: readonly Trial[],
  figures: readonly Figure[],
): Omit<GroupSummary, "recordedPassAtK" | "setups" | "setup"> {
  const tasks = groupByTask(trials).map(({ taskName, trials: attempts }) => ({
    task: taskName,
    values: attempts
      .filter((trial) => trial.state === "finished" && countsUnder(trial, rule))
      .map(readReward),
  }));
  const ulps = figures.flatMap((figure) => figure.ulps ?? []);
  const { trialKeys: _, ...head } = group;
  return {
    group: head,
    nTrials: trials.length,
    nFinished: trials.filter((trial) => trial.state === "finished").length,
    nTasks: tasks.length,
    ...selectHeadline(group),
    interval: computeMeanInterval(
      tasks.filter((task) => task.values.length > 0),
      { missing: "zero" },
    ),
    counts: countOutcomes(trials),
    nExceptions: trials.filter((trial) => selectFailure(trial) !== null).length,
    ...sumCosts(trials),
    costPerPass: computeCostPerPass(
      trials.map((trial) => ({ costUsd: readCost(trial), isPassed: trial.outcome === "passed" })),
    ),
    regraded: countRegraded(trials),
    hasRecordedMetric: figures.some((figure) => figure.kind === "metric" && figure.recorded !== null),
    ulps: ulps.length === 0 ? null : Math.max(...ulps),
  };
}

/** Sums the known costs of trials, and counts the trials with one; null when none has one. */
export function sumCosts(trials: readonly Trial[]): Pick<GroupSummary, "costUsd" | "nWithCost"> {
  const costs = computeDistribution(trials.map((trial) => readCost(trial)));
  return costs.kind === "computed"
    ? { costUsd: costs.sum, nWithCost: costs.n }
    : { costUsd: null, nWithCost: 0 };
}

/** Counts regraded trials and sums the cost of their sources. */
export function countRegraded(trials: readonly Trial[]): RegradedShare {
  const regraded = trials.filter(({ sourceTrial }) => sourceTrial !== null);
  return { nTrials: regraded.length, costUsd: sumCosts(regraded).costUsd };
}

function readReward(trial: Trial): number | null {
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

function countOutcomes(trials: readonly Pick<Trial, "outcome">[]): OutcomeCounts {
  const counts = sumBy(trials, ({ outcome }) => outcome);
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, counts.get(outcome) ?? 0])) as OutcomeCounts; // All of them.
}
