import {
  type SettingDifference,
  divideBySetup,
  listSettingDifferences,
} from "@/lib/core/domain/agent-settings";
import type { JobEntry } from "@/lib/core/domain/catalog";
import type { RegradedShare } from "@/lib/core/domain/lineage";
import { readCost } from "@/lib/core/domain/spending";
import { sumBy } from "@/lib/core/domain/sum-by";
import { groupByTask } from "@/lib/core/domain/task-labels";
import { OUTCOMES, type Trial, countsUnder, selectHeadlineReward } from "@/lib/core/domain/trial";
import { selectFailure } from "@/lib/core/domain/trial-failure";
import type { Figure, RecomputedGroup } from "@/lib/core/domain/verification";
import { type ScoringRule, type Summation, dumpPythonJson } from "@/lib/core/scoring";
import { computeCostPerPass, computeDistribution, computeMeanInterval } from "@/lib/core/stats";
import { verifyJob } from "@/lib/core/verification";
import { computeShortHash } from "@/lib/read/loader";
import type { GroupSummary, OutcomeCounts } from "@/lib/store/tables";

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

function summariseSetups(
  rule: ScoringRule,
  divided: ReturnType<DividedGroups["byGroup"]["get"]>,
): GroupSummary["setups"] {
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

export type DividedGroups = ReturnType<typeof divideGroups>;
type SetupGroup = ReturnType<typeof divide>[number];

export interface SetupPlace {
  readonly key: string;
  /** From 1, among the attempts at its task with these settings. */
  readonly attempt: number;
}

/** Groups with more settings than this are sweeps: they are marked but not divided. */
const MOST_PARTS = 24;

/**
 * Divides the evals groups of a job by agent settings, which Harbor's group key leaves out. The parts of a group are in the order
 * of their settings; none if there are too many to compare side by side.
 */
export function divideGroups(entry: JobEntry, summation: Summation) {
  const byGroup = new Map<
    string,
    { readonly differences: readonly SettingDifference[]; readonly parts: readonly SetupGroup[] }
  >();
  const places = new Map<string, SetupPlace>();
  const groups = new Map(entry.report.groups.map((group) => [group.key, group]));
  for (const [key, trials] of Map.groupBy(entry.trials, ({ groupKey }) => groupKey)) {
    const differences = listSettingDifferences(trials);
    if (differences.length === 0) continue;
    const parts = divide(entry, groups.get(key), trials, differences, summation);
    byGroup.set(key, { differences, parts });
    for (const part of parts) placeTrials(part, places);
  }
  return { byGroup, places };
}

function divide(
  entry: JobEntry,
  whole: RecomputedGroup | undefined,
  trials: readonly Trial[],
  differences: readonly SettingDifference[],
  summation: Summation,
) {
  if (whole === undefined) return [];
  const { key, verdict } = whole;
  const metricTypes = whole.metrics.map(({ type }) => type);
  const bySetup = divideBySetup(trials, differences);
  if (bySetup.length > MOST_PARTS) return [];
  return bySetup.flatMap(({ text, setup, trials: own }) => {
    // The same computation over fewer trials, without recorded values.
    const job = { ...entry.job, metricTypes, resultBytes: null, recorded: null, plan: null };
    const report = verifyJob({ job, trials: own, issues: [], recordedJudgments: [] }, summation);
    const group = report.groups.find((one) => one.key === key);
    if (group === undefined) return [];
    const partKey = `${key}#${computeShortHash(text)}`;
    return {
      /** Does not change when trials are added. */
      key: partKey,
      setup,
      /** Its verdict is that of the whole group, which alone has recorded figures. */
      group: { ...group, key: partKey, verdict },
      /** Without recorded values. */
      figures: report.figures.filter(({ kind }) => kind === "metric" || kind === "pass-at-k"),
      trials: own,
    };
  });
}

function placeTrials({ key, trials }: SetupGroup, places: Map<string, SetupPlace>): void {
  for (const attempts of Map.groupBy(trials, ({ taskName }) => taskName).values()) {
    for (const [index, trial] of attempts.toSorted((a, b) => a.attempt - b.attempt).entries())
      places.set(trial.key, { key, attempt: index + 1 });
  }
}
