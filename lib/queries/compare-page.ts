import "server-only";

import {
  prepareDifferenceChart,
  prepareLevelChart,
  selectDifferenceScale,
  type CurveChart,
  type CurveInput,
} from "@/lib/charts/curve-chart";
import { prepareDifferenceAxis, type DifferenceAxis } from "@/lib/charts/difference-axis";
import type { CatalogSnapshot } from "@/lib/domain/catalog";
import type { Seal } from "@/lib/domain/verification";
import {
  adjustHolm,
  computeMeanInterval,
  computePairedComparison,
  computePassCurve,
  computePassDifference,
  countSuccesses,
  describeComparison,
  describeReach,
  LEVEL,
  type MeanInterval,
  type PairedComparison,
  type PassCurve,
  type TaskValues,
  type Unavailable,
} from "@/lib/stats";

import { getIdentityOf, getSnapshot } from "./catalog";
import { describeCoverage, describeMethod } from "./compare-page-caption";
import { checkComparability, type ComparabilityCheck } from "./compare-page-checks";
import type { CompareFilter } from "@/lib/domain/compare-filter";
import {
  findGroups,
  listRewardKeys,
  listTaskValues,
  readRecordedPassAtK,
  type ChosenGroup,
  type RewardKey,
} from "./compare-page-groups";
import { createMatrix, type Matrix } from "./compare-page-matrix";

export type { CompareFilter } from "@/lib/domain/compare-filter";
export type { ChosenGroup } from "./compare-page-groups";

/**
 * The first chosen group and another one, `first` minus `second` throughout. A pair alone reads from the first chosen;
 * with more groups each row reads from the other, as what that group gains over the first chosen.
 */
export interface ComparedPair {
  readonly other: ChosenGroup;
  readonly first: ChosenGroup;
  readonly second: ChosenGroup;
  readonly comparison: PairedComparison | Unavailable;
  readonly difference: PassCurve | Unavailable;
  /** Adjusted for the number of pairs (Holm); null when not compared. */
  readonly adjustedP: number | null;
  /** Where `first` stands against `second` when all pairs are looked at together; null when not compared. */
  readonly standing: "ahead" | "behind" | "not distinguishable" | "no interval" | null;
  /** Which is better, in one sentence. */
  readonly sentence: string;
  /** Whether it lies in reach or reliability; null when that cannot be said. */
  readonly detail: string | null;
  readonly axis: DifferenceAxis | null;
}

/** A chosen group with its figures over the tasks that the curves are over. */
export interface ComparedGroup extends ChosenGroup {
  readonly curve: PassCurve | Unavailable;
  readonly mean: MeanInterval | Unavailable;
  readonly recorded: ReadonlyMap<number, number>;
}

/** Everything that two to six chosen groups say beside one another. */
export interface Comparison {
  readonly groups: readonly ComparedGroup[];
  readonly rewardKeys: readonly RewardKey[];
  readonly key: string;
  readonly nCommon: number;
  readonly nUnion: number;
  /** k at which curves have points; empty when no group has one. */
  readonly ks: readonly number[];
  /** The k that values are read at; null without curves. */
  readonly k: number | null;
  readonly pairs: readonly ComparedPair[];
  readonly checks: readonly ComparabilityCheck[];
  readonly charts: readonly CurveChart[];
  /** Rules, method, seed and coverage of the charts in sentences. */
  readonly caption: string;
  readonly stamp: { readonly seal: Seal; readonly nFigures: number; readonly nExact: number };
  readonly matrix: Matrix;
}

/** The compare page: the groups that the address names, and their comparison when there are at least two. */
export interface ComparePage {
  readonly chosen: readonly ChosenGroup[];
  /** References that name no group here. */
  readonly unknown: readonly string[];
  readonly comparison: Comparison | null;
}

/** Everything the compare page shows for the address. */
export async function getComparePage(filter: CompareFilter): Promise<ComparePage> {
  const [snapshot, identityOf] = await Promise.all([getSnapshot(), getIdentityOf()]);
  const { chosen, unknown } = findGroups(snapshot, filter.refs, identityOf);
  if (chosen.length < 2) return { chosen, unknown, comparison: null };
  return { chosen, unknown, comparison: compareGroups(snapshot, chosen, filter) };
}

/**
 * Compares chosen groups, the first with each of the others.
 *
 * @param snapshot - the state of the disk that the groups are from; figures are kept as long as it lives
 */
export function compareGroups(
  snapshot: CatalogSnapshot,
  chosen: readonly ChosenGroup[],
  filter: CompareFilter,
): Comparison {
  const rewardKeys = listRewardKeys(chosen);
  const key = rewardKeys.some((entry) => entry.key === filter.key)
    ? (filter.key ?? "")
    : (rewardKeys[0]?.key ?? "reward");
  const figures = getFigures(snapshot, chosen, key, filter);
  const ks = [...new Set(figures.groups.flatMap(({ curve }) => listKs(curve)))].sort((a, b) => a - b);
  const k = filter.k !== null && ks.includes(filter.k) ? filter.k : selectCommonK(figures.groups);
  const charts = prepareCharts(figures, k);
  const nCommon = figures.commonTasks.length;
  const captioned = { groups: figures.groups, charts, ks, key, nCommon };
  return {
    ...figures,
    rewardKeys,
    key,
    ks,
    k,
    checks: checkComparability(chosen, figures.commonTasks, figures.allTasks.length, key),
    charts,
    caption: `${describeMethod(captioned, filter)} ${describeCoverage(captioned)}`,
    stamp: stampGroups(chosen),
    nCommon,
    nUnion: figures.allTasks.length,
    matrix: createMatrix(chosen, figures.allTasks, key, filter),
  };
}

/** The largest k at which every group that has a curve has a value. */
function selectCommonK(groups: readonly ComparedGroup[]): number | null {
  const lasts = groups.flatMap(({ curve }) => listKs(curve).at(-1) ?? []);
  return lasts.length === 0 ? null : Math.min(...lasts);
}

function listKs(curve: PassCurve | Unavailable): readonly number[] {
  return curve.kind === "unavailable" ? [] : curve.points.map((point) => point.k);
}

interface Figures {
  readonly groups: readonly ComparedGroup[];
  readonly pairs: readonly ComparedPair[];
  readonly commonTasks: readonly string[];
  readonly allTasks: readonly string[];
}

/** By the list of jobs, which stays the same object until something on disk changes. */
const figuresByJobs = new WeakMap<CatalogSnapshot["jobs"], Map<string, Figures>>();
const KEPT_FIGURES = 40;

/** Figures that need resampling, kept while nothing on disk changes: sorting and choosing k then cost nothing. */
function getFigures(
  snapshot: CatalogSnapshot,
  chosen: readonly ChosenGroup[],
  key: string,
  filter: CompareFilter,
): Figures {
  const kept = figuresByJobs.get(snapshot.jobs) ?? new Map<string, Figures>();
  figuresByJobs.set(snapshot.jobs, kept);
  const name = JSON.stringify([
    chosen.map(({ id }) => id),
    key,
    filter.threshold,
    filter.missing,
    filter.tasks,
  ]);
  const known = kept.get(name);
  if (known) return known;
  const figures = computeFigures(chosen, key, filter);
  kept.set(name, figures);
  for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - KEPT_FIGURES))) kept.delete(oldest);
  return figures;
}

function computeFigures(chosen: readonly ChosenGroup[], key: string, filter: CompareFilter): Figures {
  const values = chosen.map(({ trials }) => listTaskValues(trials, key));
  const taskSets = values.map((tasks) => new Set(tasks.map(({ task }) => task)));
  const allTasks = [...new Set(chosen.flatMap(({ trials }) => trials.map((trial) => trial.taskName)))];
  const commonTasks = allTasks.filter((task) => taskSets.every((tasks) => tasks.has(task)));
  const isCommon = new Set(commonTasks);
  // Without a common task each group is still worth seeing over its own.
  const ownTasks = filter.tasks === "own" || commonTasks.length === 0;
  const compared = values.map((tasks) => (ownTasks ? tasks : tasks.filter(({ task }) => isCommon.has(task))));
  const counts = compared.map((tasks) => countSuccesses(tasks, filter));
  const groups = chosen.map((group, index) => ({
    ...group,
    curve: computePassCurve(counts[index] ?? []),
    mean: computeMeanInterval(compared[index] ?? [], filter),
    recorded: group.trials.every(
      ({ rewards }) => rewards === null || (rewards.size === 1 && rewards.has(key)),
    )
      ? readRecordedPassAtK(group)
      : new Map<number, number>(),
  }));
  return { groups, pairs: comparePairs(groups, values, filter), commonTasks, allTasks };
}

function comparePairs(
  groups: readonly ComparedGroup[],
  values: readonly (readonly TaskValues[])[],
  filter: CompareFilter,
): readonly ComparedPair[] {
  const isAlone = groups.length === 2;
  const sides = groups.slice(1).map((_, index) => (isAlone ? { a: 0, b: 1 } : { a: index + 1, b: 0 }));
  const comparisons = sides.map(({ a, b }) =>
    computePairedComparison(values[a] ?? [], values[b] ?? [], filter),
  );
  const computed = comparisons.filter((one) => one.kind === "computed");
  const adjusted = adjustHolm(computed.map((one) => one.test.p));
  let nCompared = 0;
  return sides.flatMap(({ a, b }, index) => {
    const [first, second, other] = [groups[a], groups[b], groups[index + 1]];
    if (first === undefined || second === undefined || other === undefined) return [];
    const comparison = comparisons[index] ?? { kind: "unavailable", reason: "no-common-tasks" };
    const [left, right] = [countSuccesses(values[a] ?? [], filter), countSuccesses(values[b] ?? [], filter)];
    const difference = computePassDifference(left, right);
    const adjustedP = comparison.kind === "computed" ? (adjusted[nCompared++] ?? null) : null;
    return {
      other,
      first,
      second,
      comparison,
      difference,
      adjustedP,
      standing: decideStanding(comparison, adjustedP),
      ...describePair(first.label, second.label, comparison, difference),
      axis: comparison.kind === "computed" ? prepareDifferenceAxis(comparison, computed) : null,
    };
  });
}

/** Several pairs are looked at together, so a lead must also hold after the adjustment. */
function decideStanding(
  comparison: PairedComparison | Unavailable,
  adjustedP: number | null,
): ComparedPair["standing"] {
  if (comparison.kind === "unavailable" || adjustedP === null) return null;
  if (comparison.verdict === "no-interval") return "no interval";
  if (comparison.verdict === "not-distinguishable" || adjustedP >= 1 - LEVEL) return "not distinguishable";
  return comparison.verdict === "first-better" ? "ahead" : "behind";
}

function describePair(
  first: string,
  second: string,
  comparison: PairedComparison | Unavailable,
  difference: PassCurve | Unavailable,
): Pick<ComparedPair, "sentence" | "detail"> {
  const last = difference.kind === "computed" ? difference.points.at(-1) : undefined;
  return {
    sentence: describeComparison(comparison, { first, second, measure: "mean reward" }),
    detail: last === undefined || comparison.kind === "unavailable" ? null : describeReach(last, comparison),
  };
}

const WORDS = {
  passAtK: { title: "pass@k", note: "at least one of k passes" },
  passHatK: { title: "pass^k", note: "all k pass" },
} as const;

const SINGLE_WORDS = { title: "pass@1", note: "share of tasks passed" } as const;

/** Two groups: each curve beside its own paired difference, both differences on one scale. More: the two curves alone. */
function prepareCharts({ groups, pairs }: Figures, k: number | null): readonly CurveChart[] {
  const inputs: readonly CurveInput[] = groups.map((group) => ({
    group: pickChartGroup(group),
    curve: group.curve,
    recorded: group.recorded,
  }));
  // With one attempt a task both measures are the share passed.
  const isSingle = groups.every(({ curve }) => curve.kind === "unavailable" || curve.points.length === 1);
  const measures = isSingle ? (["passAtK"] as const) : (["passAtK", "passHatK"] as const);
  const pair = pairs.length === 1 ? pairs[0] : undefined;
  const scale = selectDifferenceScale(pairs.map(({ difference }) => difference));
  return measures.flatMap((measure) => {
    const { title, note } = isSingle ? SINGLE_WORDS : WORDS[measure];
    // Harbor records pass@k only.
    const drawn =
      measure === "passAtK"
        ? inputs
        : inputs.map((input) => ({ ...input, recorded: new Map<number, number>() }));
    const level = prepareLevelChart(drawn, measure, k, { id: measure, title, note });
    if (pair === undefined || pair.difference.kind === "unavailable") return [level];
    const first = groups[0]?.label ?? "";
    const words = {
      id: `${measure}-difference`,
      title: "Difference",
      note: `${first} minus ${pair.other.label}, points`,
      corners: { above: `${first} better`, below: `${pair.other.label} better` },
    };
    const group = { id: "difference", label: words.note, identity: 0, variant: 0, isPlain: true as const };
    const input = { group, curve: pair.difference, recorded: new Map<number, number>() };
    const largest = pair.difference.points.at(-1)?.k ?? 0;
    return [
      level,
      prepareDifferenceChart([input], measure, k !== null && k <= largest ? k : null, words, scale),
    ];
  });
}

function pickChartGroup({ id, label, identity, variant }: ChosenGroup): CurveInput["group"] {
  return { id, label, identity, variant };
}

const WORST_FIRST: readonly Seal[] = ["mismatch", "unverifiable", "ulp", "interim", "not-recorded", "exact"];

function stampGroups(chosen: readonly ChosenGroup[]): Comparison["stamp"] {
  const figures = chosen.flatMap(({ entry, group }) =>
    entry.report.figures.filter((figure) => figure.group === group.key && figure.verdict !== "not-recorded"),
  );
  const seals = new Set(chosen.map(({ group }) => group.seal));
  return {
    seal: WORST_FIRST.find((seal) => seals.has(seal)) ?? "not-recorded",
    nFigures: figures.length,
    nExact: figures.filter(({ verdict }) => verdict === "exact").length,
  };
}
