import type { SettingValues } from "@/lib/core/domain/agent-settings";
import type { SpendingMeasure } from "@/lib/core/domain/spending";
import {
  computeParetoFrontier,
  computeRatioInterval,
  type RatioInterval,
  type Unavailable,
} from "@/lib/core/stats";

import { type GroupCertainty, limitResamples } from "./certainty";
import type { CompareRule, NamedRuns } from "./run";
import { groupByTask, type ComparedTrial } from "./trials";

export interface GroupSpending {
  /** Mean over attempts with a known value, tasks resampled whole; 0 is not missing. */
  readonly perAttempt: RatioInterval | Unavailable;
  /** Finished attempts with a known value and those without, which no figure includes. */
  readonly nKnown: number;
  readonly nUnknown: number;
  /** `frontier`: no other group is at least as good and no dearer. `dominated`: one is. `unknown`: cost or score is unknown. */
  readonly standing: "frontier" | "dominated" | "unknown";
  /** Index of the cheapest group that is at least as good and no dearer; null unless dominated. */
  readonly beatenBy: number | null;
}

const MOST_RESAMPLES = 2_000;

interface Scored {
  readonly certainty: Pick<GroupCertainty, "mean">;
}

export type Spending = ReturnType<typeof computeSpending>;

/** Computes what each group spends per attempt, over the tasks of its score, and which groups another one beats. */
export function computeSpending(
  chosen: readonly NamedRuns[],
  figures: readonly Scored[],
  measure: SpendingMeasure,
  rule: Pick<CompareRule, "tasks">,
) {
  const own = chosen.map(
    ({ trials }) => new Set(trials.filter(({ counts }) => counts).map(({ taskName }) => taskName)),
  );
  const tasks = rule.tasks === "own" ? own : findCommonTasks(own);
  const finished = chosen.map(({ trials }, at) =>
    trials.filter(({ state, taskName }) => state === "finished" && tasks[at]?.has(taskName)),
  );
  const nTasks = new Set(finished.flatMap((trials) => trials.map(({ taskName }) => taskName))).size;
  const resamples = Math.min(MOST_RESAMPLES, limitResamples(nTasks, chosen.length));
  const spent = finished.map((trials) => computePerAttempt(trials, measure, resamples));
  const { dominated, unknown } = computeParetoFrontier(
    spent.map(({ perAttempt }, at) => {
      const mean = figures[at]?.certainty.mean;
      return {
        name: String(at),
        cost: perAttempt.kind === "computed" ? perAttempt.ratio : null,
        value: mean?.kind === "computed" ? mean.mean : null,
      };
    }),
  );
  const beaten = new Map(dominated.map(({ name, by }) => [name, Number(by)]));
  return {
    measure,
    groups: spent.map((one, at): GroupSpending => {
      const beatenBy = beaten.get(String(at)) ?? null;
      const isUnknown = unknown.includes(String(at));
      return {
        ...one,
        beatenBy,
        standing: isUnknown ? "unknown" : beatenBy === null ? "frontier" : "dominated",
      };
    }),
    /** Indices of groups that differ only in reasoning effort, per sweep from the least effort to the most. */
    sweeps: findSweeps(chosen),
    resamples,
  };
}

/** Like the curves: each group's own tasks where they share none. */
function findCommonTasks(own: readonly ReadonlySet<string>[]): readonly ReadonlySet<string>[] {
  const common = new Set([...(own[0] ?? [])].filter((task) => own.every((set) => set.has(task))));
  return common.size === 0 ? own : own.map(() => common);
}

function computePerAttempt(
  trials: readonly ComparedTrial[],
  measure: SpendingMeasure,
  resamples: number,
): Pick<GroupSpending, "perAttempt" | "nKnown" | "nUnknown"> {
  const tasks = [...groupByTask(trials)].flatMap(([task, attempts]) => {
    const known = attempts.map((trial) => readSpent(trial, measure)).filter((value) => value !== null);
    const numerator = known.reduce((sum, value) => sum + value, 0);
    return known.length === 0 ? [] : [{ task, numerator, denominator: known.length }];
  });
  const nKnown = tasks.reduce((sum, { denominator }) => sum + denominator, 0);
  return {
    perAttempt: computeRatioInterval(tasks, { resamples }),
    nKnown,
    nUnknown: trials.length - nKnown,
  };
}

/** Returns what an attempt spent; null where its files do not record it, which is not 0. */
function readSpent({ tokens, nTokens, durationMs }: ComparedTrial, measure: SpendingMeasure): number | null {
  if (measure === "cost") return tokens.costUsd;
  return measure === "time" ? durationMs : nTokens;
}

const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Groups of the same agent and model whose settings are known and differ in the effort alone, each effort once. */
function findSweeps(chosen: readonly NamedRuns[]): readonly (readonly number[])[] {
  const efforts = chosen.flatMap((group, at) => readEffort(group, at) ?? []);
  return [...Map.groupBy(efforts, ({ rest }) => rest).values()].flatMap((members) => {
    const ranks = new Set(members.map(({ rank }) => rank));
    if (members.length < 2 || ranks.size < members.length) return [];
    return [members.toSorted((a, b) => a.rank - b.rank).map(({ at }) => at)];
  });
}

function readEffort({ runs: [{ group }], contents }: NamedRuns, at: number) {
  const settings = mergeSettings(contents.map((content) => content.settings));
  if (settings === null) return null;
  const entries = [...settings].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [effort, ...others] = entries.filter(([name]) => isEffort(name));
  const [value, ...more] = effort?.[1] ?? [];
  if (others.length > 0 || more.length > 0 || value === undefined || value === null) return null;
  const rank = EFFORTS.indexOf(value.replaceAll('"', "").toLowerCase());
  if (rank < 0) return null;
  const rest = entries.filter(([name]) => !isEffort(name)).map(([name, values]) => [name, [...values]]);
  // `rest` is equal for groups that differ in effort alone.
  return { at, rank, rest: JSON.stringify([group.agent, group.model, rest]) };
}

function isEffort(name: string): boolean {
  return /(?:^|[._])effort$/i.test(name);
}

/** All values of each setting over the runs of a set; null where any run has none. */
function mergeSettings(runs: readonly NamedRuns["contents"][number]["settings"][]): SettingValues | null {
  const merged = new Map<string, Set<string | null>>();
  for (const settings of runs) {
    if (settings === null) return null;
    for (const [name, values] of settings) {
      const known = merged.get(name) ?? new Set();
      merged.set(name, known);
      for (const value of values) known.add(value);
    }
  }
  return merged;
}
