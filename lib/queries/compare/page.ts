import "server-only";

import {
  type CurveChart,
  type CurveInput,
  LEVEL_SCALE,
  prepareCurveChart,
  selectDifferenceScale,
} from "@/lib/charts/curve-chart";
import { shortenNames } from "@/lib/charts/text-fit";
import type { CompareFilter } from "@/lib/addresses/compare";
import type { CheckVerdict } from "@/lib/domain/verification";
import type { PassCurve, Unavailable } from "@/lib/stats";
import { readRolloutLinks } from "@/lib/store";

import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { checkComparability, type ComparabilityCheck } from "./checks";
import { type CompareFigures, getFigures, type GroupFigures, listSides, type PairFigures } from "./figures";
import {
  findGroups,
  type FoundGroup,
  listRewardKeys,
  readChosenGroups,
  type ChosenGroup,
  type RewardKey,
} from "./groups";
import { createMatrix, type Matrix } from "./matrix";
import { findSharedRollouts, type SharedRollouts } from "./rollouts";
import { describeAdjustment, describeCurves } from "./words";

export type { ChosenGroup, FoundGroup } from "./groups";

/** The first chosen group and another one, `first` minus `second`; with more groups than two each row reads from the other. */
export interface ComparedPair extends PairFigures {
  readonly other: ChosenGroup;
  readonly first: ChosenGroup;
  readonly second: ChosenGroup;
}

/** A chosen group with its figures over the tasks that the curves are over. */
export interface ComparedGroup extends ChosenGroup, GroupFigures {}

/** Everything that two to six chosen groups say beside one another. */
export interface Comparison {
  readonly groups: readonly ComparedGroup[];
  readonly rewardKeys: readonly RewardKey[];
  readonly key: string;
  /** Values of the address that no chosen group has, by their names there; others stand in their place. */
  readonly unknown: readonly ("key" | "k")[];
  readonly nCommon: number;
  readonly nUnion: number;
  /** k at which curves have points; empty when no group has one. */
  readonly ks: readonly number[];
  /** The k that values are read at; null without curves. */
  readonly k: number | null;
  readonly pairs: readonly ComparedPair[];
  /** That verdicts, intervals and p-values of the pairs hold together; null for a single pair. */
  readonly adjustment: string | null;
  readonly checks: readonly ComparabilityCheck[];
  readonly charts: readonly CurveChart[];
  /** Rules, method, seed and coverage of the charts in sentences. */
  readonly caption: string;
  readonly stamp: { readonly verdict: CheckVerdict; readonly nFigures: number; readonly nExact: number };
  readonly matrix: Matrix;
}

/** The groups that the address of the compare page names. */
export interface CompareChoice {
  readonly chosen: readonly FoundGroup[];
  /** References that name no group here. */
  readonly unknown: readonly string[];
}

/** The compare page: the groups that the address names, and their comparison when there are at least two. */
export interface ComparePage extends CompareChoice {
  readonly comparison: Comparison | null;
  /** Pairs of chosen groups that hold the same rollouts; none where all are independent. */
  readonly shared: readonly SharedRollouts[];
}

/** The groups of the address, without reading their trials. */
export async function getCompareChoice(refs: readonly string[]): Promise<CompareChoice> {
  const [store, identityOf] = await Promise.all([getStore(), getIdentityOf()]);
  return findGroups(store, refs, identityOf);
}

/** Everything the compare page shows for the address. */
export async function getComparePage(filter: CompareFilter): Promise<ComparePage> {
  const [store, choice] = await Promise.all([getStore(), getCompareChoice(filter.refs)]);
  if (choice.chosen.length < 2) return { ...choice, comparison: null, shared: [] };
  const chosen = await readChosenGroups(store, choice.chosen);
  const links = await getCached("rollout-links", readRolloutLinks);
  return {
    ...choice,
    comparison: compareGroups(chosen, filter),
    shared: findSharedRollouts(choice.chosen, links),
  };
}

/** Compares chosen groups, the first with each of the others. */
export function compareGroups(chosen: readonly ChosenGroup[], filter: CompareFilter): Comparison {
  const rewardKeys = listRewardKeys(chosen);
  const key = rewardKeys.some((entry) => entry.key === filter.key)
    ? (filter.key ?? "")
    : (rewardKeys[0]?.key ?? "reward");
  const { commonTasks, allTasks, ...computed } = getFigures(chosen, key, filter);
  const figures = assemble(chosen, { commonTasks, allTasks, ...computed });
  const ks = [...new Set(figures.groups.flatMap(({ curve }) => listKs(curve)))].sort((a, b) => a - b);
  const k = filter.k !== null && ks.includes(filter.k) ? filter.k : selectCommonK(figures.groups);
  const charts = prepareCharts(figures, k);
  const nCommon = commonTasks.length;
  const captioned = { groups: figures.groups, charts, ks, key, nCommon };
  return {
    ...figures,
    rewardKeys,
    key,
    unknown: (["key", "k"] as const).filter((name) => ![null, key, k].includes(filter[name])),
    ks,
    k,
    adjustment: describeAdjustment(figures.pairs.length),
    checks: checkComparability(chosen, commonTasks, allTasks.length, key),
    charts,
    caption: describeCurves(captioned, filter),
    stamp: stampGroups(chosen),
    nCommon,
    nUnion: allTasks.length,
    matrix: createMatrix(chosen, allTasks, key, filter),
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

/** Puts the figures beside the groups they are of. */
function assemble(chosen: readonly ChosenGroup[], figures: CompareFigures): Assembled {
  const groups = chosen.flatMap((group, index) => {
    const own = figures.groups[index];
    return own === undefined ? [] : [{ ...group, ...own }];
  });
  const sides = listSides(groups.length);
  const pairs = figures.pairs.flatMap((pair, index) => {
    const { a, b } = sides[index] ?? { a: -1, b: -1 };
    const [first, second, other] = [groups[a], groups[b], groups[index + 1]];
    return first === undefined || second === undefined || other === undefined
      ? []
      : [{ ...pair, other, first, second }];
  });
  return { groups, pairs };
}

interface Assembled {
  readonly groups: readonly ComparedGroup[];
  readonly pairs: readonly ComparedPair[];
}

const WORDS = {
  passAtK: { title: "pass@k", note: "at least one of k attempts passes" },
  passHatK: { title: "pass^k", note: "all k attempts pass" },
} as const;

const SINGLE_WORDS = { title: "pass@1", note: "share of tasks passed" } as const;

/** What a name takes of the plot of differences, in pixels, which is about twice as wide. */
const DIFFERENCE_NAME_ROOM = 110;

/** Two groups: each curve beside its own paired difference, both differences on one scale. More: the two curves alone. */
function prepareCharts({ groups, pairs }: Assembled, k: number | null): readonly CurveChart[] {
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
    const frame = { id: measure, measure, title, note, chosenK: k, scale: LEVEL_SCALE };
    const level = prepareCurveChart(drawn, frame);
    if (pair === undefined || pair.difference.kind === "unavailable") return [level];
    const names = [pair.first.label, pair.second.label];
    const [first, second] = shortenNames(names, DIFFERENCE_NAME_ROOM);
    const label = `${names.join(" minus ")}, in points`;
    const group = { id: "difference", label, identity: 0, isPlain: true as const };
    const input = { group, curve: pair.difference, recorded: new Map<number, number>() };
    const largest = pair.difference.points.at(-1)?.k ?? 0;
    const difference = prepareCurveChart([input], {
      id: `${measure}-difference`,
      measure,
      title: "Difference",
      note: `points, ${first} minus ${second}`,
      corners: { above: `${first} better`, below: `${second} better` },
      chosenK: k !== null && k <= largest ? k : null,
      scale,
    });
    return [level, difference];
  });
}

function pickChartGroup({ id, label, identity, variant }: ChosenGroup): CurveInput["group"] {
  return { id, label, identity, variant };
}

const WORST_FIRST: readonly CheckVerdict[] = [
  "mismatch",
  "incomplete",
  "explained",
  "ulp",
  "interim",
  "not-recorded",
  "exact",
];

function stampGroups(chosen: readonly ChosenGroup[]): Comparison["stamp"] {
  const checks = new Set(chosen.map(({ group }) => group.verdict));
  // Parts of one group share its figures, which count once.
  const wholes = new Map(chosen.map((group) => [`${group.job.rowId} ${group.figureKey}`, group.figures]));
  const figures = [...wholes.values()];
  return {
    verdict: WORST_FIRST.find((verdict) => checks.has(verdict)) ?? "not-recorded",
    nFigures: figures.reduce((sum, { nFigures }) => sum + nFigures, 0),
    nExact: figures.reduce((sum, { nExact }) => sum + nExact, 0),
  };
}
