import { compareNames, compareText } from "@/lib/core/domain/compare-text";
import type { ScoringChoice } from "@/lib/core/domain/scoring-choice";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import {
  computeMeanInterval,
  computeRankSets,
  type MeanInterval,
  type MissingRule,
  type RankSet,
  type Sensitivity,
  type Unavailable,
} from "@/lib/core/stats";

import { checkConditions, type LeaderboardMark } from "./leaderboard-marks";
import type { NamedRuns } from "./run";
import { applyScoring, describeCounting } from "./scoring-choice";
import { computeTrialSensitivity } from "./sensitivity";
import { groupByTask, listRewardKeys, listTaskValues } from "./trials";

export interface LeaderboardRule {
  /** Null for the key that most trials have. */
  readonly key: string | null;
  readonly missing: MissingRule;
  readonly rule: ScoringChoice;
  /** Scores are over all tasks of each group, or over those of every ranked group. Ranks use the tasks of each pair. */
  readonly tasks: "own" | "common";
  /** Percentage of all tasks with finished trials that a group needs for a rank. */
  readonly coverage: number;
}

/**
 * Why a group has no rank. `reference` runs do not try to solve the tasks (Harbor's oracle and nop). `running` groups have only
 * the tasks that ended first. `not-scored` ones have no value of the reward key, `partial` ones too few tasks.
 */
export type LeaderboardState = "ranked" | "running" | "reference" | "not-scored" | "partial";

export interface LeaderboardRow {
  readonly at: number;
  readonly label: string;
  readonly fullName: string;
  readonly runs: readonly {
    readonly job: string;
    readonly group: string;
    readonly agent: string;
    readonly model: string | null;
  }[];
  readonly state: LeaderboardState;
  readonly rank: RankSet | null;
  /** Every trial weighs the same, as in Harbor's metric. */
  readonly mean: MeanInterval | Unavailable;
  readonly sensitivity: Sensitivity | Unavailable;
  readonly attempts: { readonly min: number; readonly max: number } | null;
  /** Tasks with a finished trial, of those that the score is over. */
  readonly nTasks: number;
  readonly nTrials: number;
  /** US dollars per trial, over those whose cost is known. */
  readonly cost: MeanInterval | Unavailable;
  readonly families: readonly (number | null)[];
  /** Differences from most other groups, then unrecorded conditions. */
  readonly marks: readonly LeaderboardMark[];
  /** Recorded figures of its runs, and how many of them are reproduced exactly. Harbor records none for a run set. */
  readonly figures: NamedRuns["figures"];
}

interface LeaderboardFamily {
  readonly name: string;
  readonly nTasks: number;
}

/** Harbor's agents for the reference solution and for no action. */
const REFERENCES: ReadonlySet<string> = new Set(["oracle", "nop"]);

const STATES: readonly LeaderboardState[] = ["ranked", "running", "reference", "not-scored", "partial"];

const MOST_FAMILIES = 6;

export type Leaderboard = ReturnType<typeof computeLeaderboard>;

/**
 * Ranks groups and run sets over a dataset. Ties are in the order of names. A rank is the set of ranks that the data allow
 * (`computeRankSets`), independent of that order.
 */
export function computeLeaderboard(named: readonly NamedRuns[], rule: LeaderboardRule) {
  const groups = named.map((group) => applyScoring(group, rule.rule));
  const rewardKeys = listRewardKeys(groups);
  const key = rewardKeys.find((entry) => entry.key === rule.key)?.key ?? rewardKeys[0]?.key ?? "reward";
  const allTasks = new Set(groups.flatMap(({ trials }) => trials.map(({ taskName }) => taskName)));
  const fewest = (allTasks.size * rule.coverage) / 100;
  const entries = groups.map((group, at) => readEntry(group, { at, key, fewest }));
  const ranked = entries.filter(({ state }) => state === "ranked");
  const common = findCommon(ranked);
  const tasks = rule.tasks === "common" && common.size > 0 ? "common" : "own";
  const scored = entries.map((entry) => ({
    ...entry,
    values: tasks === "own" ? entry.values : entry.values.filter(({ task }) => common.has(task)),
  }));
  const { families, nMoreFamilies } = listFamilies(tasks === "own" ? allTasks : common);
  const nScored = tasks === "own" ? allTasks.size : common.size;
  const { conditions, marks } = checkConditions(groups, key, allTasks.size);
  const competing = scored.filter(({ state }) => state === "ranked");
  const { ranks, nPairs } = computeRankSets(
    competing.map(({ values }) => values),
    rule,
  );
  const rankOf = new Map(competing.map(({ at }, place) => [at, ranks[place] ?? null]));
  const rows = scored.map((entry) => ({
    ...describeEntry(entry, families, { key, missing: rule.missing }),
    rank: rankOf.get(entry.at) ?? null,
    marks: marks[entry.at] ?? [],
  }));
  return {
    /** Ranked groups first, by score; then running ones, references, those without a score, and those with too few tasks. */
    rows: rows.toSorted(compareRows),
    key,
    rewardKeys,
    missing: rule.missing,
    rule: rule.rule,
    counting: describeCounting(rule, groups),
    /** Tasks of the scores: `own` also where no task is common. */
    tasks,
    coverage: rule.coverage,
    nTasks: nScored,
    nCommonTasks: common.size,
    nRanked: ranked.length,
    nFirst: ranks.filter(({ low }) => low === 1).length,
    nPairs,
    /** The largest ones with at least two tasks; empty where there are not two. */
    families,
    nMoreFamilies,
    conditions,
  };
}

type Entry = ReturnType<typeof readEntry>;

function readEntry(
  group: NamedRuns,
  { at, key, fewest }: { readonly at: number; readonly key: string; readonly fewest: number },
) {
  const { trials } = group;
  const values = listTaskValues(trials, key);
  const rewards = values.flatMap((task) => task.values.filter((value) => !Number.isNaN(value ?? NaN)));
  // An infinite reward makes the mean undefined.
  const hasScore = rewards.length > 0 && !rewards.includes(Infinity) && !rewards.includes(-Infinity);
  const state: LeaderboardState = group.runs.every((run) => REFERENCES.has(run.group.agent))
    ? "reference"
    : !hasScore
      ? "not-scored"
      : trials.some((trial) => trial.state === "running")
        ? "running"
        : values.length < fewest
          ? "partial"
          : "ranked";
  return { group, at, state, values: state === "not-scored" ? [] : values };
}

function findCommon(ranked: readonly Entry[]): ReadonlySet<string> {
  const [first, ...others] = ranked.map(({ values }) => new Set(values.map(({ task }) => task)));
  return new Set([...(first ?? [])].filter((task) => others.every((set) => set.has(task))));
}

function listFamilies(tasks: ReadonlySet<string>): {
  readonly families: readonly LeaderboardFamily[];
  readonly nMoreFamilies: number;
} {
  const byFamily = Map.groupBy(tasks, findTaskFamily);
  const all = Array.from(byFamily, ([name, own]) => ({ name, nTasks: own.length }));
  const several = all.filter(({ nTasks }) => nTasks > 1);
  if (several.length < 2) return { families: [], nMoreFamilies: 0 };
  const largest = several.toSorted((a, b) => b.nTasks - a.nTasks || compareNames(a.name, b.name));
  const shown = largest.slice(0, MOST_FAMILIES).toSorted((a, b) => compareNames(a.name, b.name));
  return { families: shown, nMoreFamilies: several.length - shown.length };
}

function describeEntry(
  { group, at, state, values }: Entry,
  families: readonly LeaderboardFamily[],
  { key, missing }: { readonly key: string; readonly missing: MissingRule },
): Omit<LeaderboardRow, "rank" | "marks"> {
  const { runs, trials, figures } = group;
  const label = markPooled(group.label, runs.length);
  const fullName = markPooled(group.fullName ?? group.label, runs.length);
  const names = new Set(values.map(({ task }) => task));
  const own = trials.filter(({ taskName }) => names.has(taskName));
  const counts = values.map((task) => task.values.length);
  const costs = [...groupByTask(own)].map(([task, attempts]) => ({
    task,
    values: attempts.map(({ tokens }) => tokens.costUsd),
  }));
  const byFamily = Map.groupBy(values, ({ task }) => findTaskFamily(task));
  return {
    at,
    label,
    fullName,
    runs: runs.map(({ job, group: { key, agent, model } }) => ({ job: job.name, group: key, agent, model })),
    state,
    mean: computeMeanInterval(values, { missing }),
    sensitivity: computeTrialSensitivity(
      own.filter((trial) => trial.counts),
      key,
      { missing },
    ),
    attempts: counts.length === 0 ? null : { min: Math.min(...counts), max: Math.max(...counts) },
    nTasks: values.length,
    nTrials: trials.length,
    cost: computeMeanInterval(costs, { missing: "exclude" }),
    families: families.map(({ name }) => {
      const mean = computeMeanInterval(byFamily.get(name) ?? [], { missing });
      return mean.kind === "computed" ? mean.mean : null;
    }),
    figures,
  };
}

function markPooled(name: string, nRuns: number): string {
  const mark = ` ×${nRuns}`;
  return nRuns === 1 || `${name} `.includes(`${mark} `) ? name : `${name}${mark}`;
}

function compareRows(a: LeaderboardRow, b: LeaderboardRow): number {
  const place = STATES.indexOf(a.state) - STATES.indexOf(b.state);
  if (place !== 0) return place;
  const [first, second] = [readScore(a), readScore(b)];
  if (first !== second) return (second ?? -Infinity) - (first ?? -Infinity);
  return compareNames(a.label, b.label) || compareText(a.label, b.label);
}

/** Null where there is none, which is not 0. */
export function readScore({ mean }: Pick<LeaderboardRow, "mean">): number | null {
  return mean.kind === "computed" ? mean.mean : null;
}

export function readScoreBounds({
  mean,
}: Pick<LeaderboardRow, "mean">): { readonly low: number; readonly high: number } | null {
  return mean.kind === "computed" && mean.bounds.kind === "computed" ? mean.bounds : null;
}
