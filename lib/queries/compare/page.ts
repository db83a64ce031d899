import "server-only";

import type { CurveChart } from "@/lib/charts/curve-chart";
import type { CompareFilter } from "@/lib/addresses/compare";
import {
  applyScoring,
  checkComparability,
  checkRuns,
  type ComparabilityCheck,
  type CompareFigures,
  describeAdjustment,
  describeCounting,
  describeCurves,
  describeRest,
  describeSensitivity,
  type GroupFigures,
  listLikelyRepeats,
  listRewardKeys,
  markMixed,
  orderByStart,
  type PairFigures,
  POSSIBLE_COPIES,
  type RewardKey,
  type SensitivityLine,
} from "@/lib/comparison";
import { MAX_COLOURED } from "@/lib/domain/compare-filter";
import type { CheckVerdict } from "@/lib/domain/verification";
import { describeCopiedCost } from "@/lib/format/words";
import type { PassCurve, Unavailable } from "@/lib/stats";
import { readRolloutLinks } from "@/lib/store";

import { type DrawnCurves, prepareCharts } from "./charts";
import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { getFigures } from "./figures";
import { findOpenGroups, type FoundGroup, openGroups, readChosenGroups, type ChosenGroup } from "./groups";
import { createMatrix, type Matrix } from "./matrix";
import { type GroupVerdicts, NO_VERDICTS, readVerdicts } from "./verdicts";
import { findSharedRollouts, type SharedRollouts } from "./rollouts";

export type { ChosenGroup, FoundGroup, Run } from "./groups";

/** A chosen group and the first of them, the baseline: `first` minus `second`, where `second` is the baseline. */
export interface ComparedPair extends PairFigures {
  readonly first: ComparedGroup;
  readonly second: ComparedGroup;
}

/** A chosen group with its figures over the tasks that the curves are over. */
export interface ComparedGroup extends ChosenGroup, GroupFigures {
  /** Mean of its headline reward as its job's page has it; null for a run set, which has no such page. */
  readonly headlineMean: number | null;
  /** How much of the cost is that of rollouts which it only grades again; null when none is. */
  readonly costNote: string | null;
  /** Its score under every reading; null where none moves a trial. */
  readonly sensitivityLine: SensitivityLine | null;
  /** Whether the runs of a set are runs of the same, worst first; empty for a single run. */
  readonly runChecks: readonly ComparabilityCheck[];
}

/** Everything that chosen groups, two or more, say beside one another. */
export interface Comparison {
  readonly groups: readonly ComparedGroup[];
  readonly rewardKeys: readonly RewardKey[];
  readonly key: string;
  /** Values of the address that no chosen group has, by their names there; others stand in their place. */
  readonly unknown: readonly ("key" | "k")[];
  /** Which rewards count, in words. */
  readonly counting: string;
  readonly nCommon: number;
  readonly nUnion: number;
  /** k at which curves have points; empty when no group has one. */
  readonly ks: readonly number[];
  /** The k that values are read at; null without curves. */
  readonly k: number | null;
  readonly pairs: readonly ComparedPair[];
  /** The pair that the title is about: of several the one that is furthest ahead of the first group. */
  readonly lead: ComparedPair | null;
  /** How all others stand against the first group, in a sentence; null for a single pair. */
  readonly rest: string | null;
  /** That verdicts, intervals and p-values of the pairs hold together; null for a single pair. */
  readonly adjustment: string | null;
  readonly checks: readonly ComparabilityCheck[];
  readonly charts: readonly CurveChart[];
  /** Of each chart by its id, a small one for each group that has no line in it, beside the first group. */
  readonly panels: DrawnCurves["panels"];
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
  /** Chosen runs that look like repeats of one another, as sets that could be counted together. */
  readonly suggested: readonly (readonly FoundGroup[])[];
}

/** The compare page: the groups that the address names, and their comparison when there are at least two. */
export interface ComparePage extends CompareChoice {
  readonly comparison: Comparison | null;
  /** Pairs of chosen groups that hold the same rollouts; none where all are independent. */
  readonly shared: readonly SharedRollouts[];
}

/** The groups of the address, the baseline first, without reading their trials. */
export async function getCompareChoice({
  refs,
  order,
}: Pick<CompareFilter, "refs" | "order">): Promise<CompareChoice> {
  const { chosen: found, unknown } = await findOpenGroups(refs, await getIdentityOf());
  const chosen = tellApart(order === "chosen" ? found : orderByStart(found));
  return { chosen, unknown, suggested: suggestSets(chosen) };
}

/**
 * Groups of one agent and model with a marker each: there identity belongs to what is compared. It goes by their ids, so that no
 * order of the groups changes it.
 */
export function tellApart(chosen: readonly FoundGroup[]): readonly FoundGroup[] {
  const isOneAgent = new Set(chosen.map(({ identity }) => identity)).size === 1;
  if (!isOneAgent || chosen.length < 2 || chosen.length > MAX_COLOURED) return chosen;
  const ids = chosen.map(({ id }) => id).toSorted();
  return chosen.map((group) => ({ ...group, identity: ids.indexOf(group.id) + 1, variant: 0 }));
}

function suggestSets(chosen: readonly FoundGroup[]): CompareChoice["suggested"] {
  const single = chosen.filter(({ runs }) => runs.length === 1);
  const byRef = new Map(single.map((group) => [group.runs[0].ref, group]));
  const sets = listLikelyRepeats(single.map((group) => group.runs[0]));
  return sets.map((refs) => refs.flatMap((ref) => byRef.get(ref) ?? []));
}

/** Everything the compare page shows for the address. */
export async function getComparePage(filter: CompareFilter): Promise<ComparePage> {
  const choice = await getCompareChoice(filter);
  if (choice.chosen.length < 2) return { ...choice, comparison: null, shared: [] };
  const [counted, store] = await Promise.all([getStore(), openGroups(choice.chosen)]);
  const read = await readChosenGroups(counted, choice.chosen, store);
  const chosen = read.map((group) => applyScoring(group, filter.rule));
  const links = await getCached("rollout-links", readRolloutLinks);
  const comparison = compareGroups(chosen, filter, await readVerdicts(store, chosen));
  const hasCopies = comparison.checks.some(({ name }) => name === POSSIBLE_COPIES);
  return {
    ...choice,
    // Copies counted together would look like independent attempts.
    suggested: hasCopies ? [] : choice.suggested,
    comparison,
    shared: findSharedRollouts(choice.chosen, links),
  };
}

/** Compares chosen groups, each with the first. */
export function compareGroups(
  named: readonly ChosenGroup[],
  filter: CompareFilter,
  verdicts: GroupVerdicts = NO_VERDICTS,
): Comparison {
  const chosen = named.map(markMixed);
  const rewardKeys = listRewardKeys(chosen);
  const key = rewardKeys.some((entry) => entry.key === filter.key)
    ? (filter.key ?? "")
    : (rewardKeys[0]?.key ?? "reward");
  const computed = getFigures(chosen, key, filter);
  const { commonTasks, allTasks } = computed;
  const figures = assemble(chosen, computed);
  const ks = [...new Set(figures.groups.flatMap(({ curve }) => listKs(curve)))].sort((a, b) => a - b);
  const k = filter.k !== null && ks.includes(filter.k) ? filter.k : selectCommonK(figures.groups);
  const lead = selectLead(figures.pairs);
  const { charts, panels } = prepareCharts({ ...figures, lead }, k);
  const nCommon = commonTasks.length;
  const counting = describeCounting(filter, chosen);
  const captioned = { groups: figures.groups, charts, ks, key, nCommon, counting };
  return {
    ...figures,
    rewardKeys,
    key,
    unknown: (["key", "k"] as const).filter((name) => ![null, key, k].includes(filter[name])),
    ks,
    k,
    lead,
    rest: describeRest(
      figures.pairs.filter((pair) => pair !== lead).map(({ first, words }) => ({ name: first.label, words })),
      figures.groups[0]?.label ?? "",
    ),
    adjustment: describeAdjustment(figures.pairs.length),
    checks: checkComparability(chosen, commonTasks, allTasks.length, key),
    charts,
    panels,
    caption: describeCurves(captioned, filter),
    stamp: stampGroups(chosen),
    counting,
    nCommon,
    nUnion: allTasks.length,
    matrix: createMatrix(chosen, allTasks, key, filter, {
      verdicts,
      versus: chooseVersus(figures.groups, lead, filter.versus),
    }),
  };
}

/** Place of the group that is set against the first at each task: the one asked for, else that of the title. */
function chooseVersus(
  groups: readonly ComparedGroup[],
  lead: ComparedPair | null,
  asked: number | null,
): number {
  if (asked !== null && asked <= groups.length) return asked - 1;
  const at = groups.findIndex(({ id }) => id === lead?.first.id);
  return at < 1 ? 1 : at;
}

/** Of several pairs the one with the largest difference, the first of equals. */
function selectLead(pairs: readonly ComparedPair[]): ComparedPair | null {
  const read = ({ comparison }: ComparedPair) =>
    comparison.kind === "computed" ? comparison.difference : Number.NEGATIVE_INFINITY;
  return pairs.reduce<ComparedPair | null>(
    (best, pair) => (best === null || read(pair) > read(best) ? pair : best),
    null,
  );
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
    return own === undefined
      ? []
      : [
          {
            ...group,
            ...own,
            ...describeRuns(group),
            sensitivityLine: describeSensitivity(own.certainty.sensitivity),
            runChecks: checkRuns(group),
          },
        ];
  });
  const pairs = figures.pairs.flatMap((pair, index) => {
    const { a, b } = figures.sides[index] ?? { a: -1, b: -1 };
    const [first, second] = [groups[a], groups[b]];
    return first === undefined || second === undefined ? [] : [{ ...pair, first, second }];
  });
  return { groups, pairs };
}

function describeRuns({ runs: [{ summary }, ...others] }: ChosenGroup) {
  // A run set counts a rollout once, and has no page of its own.
  if (others.length > 0) return { headlineMean: null, costNote: null };
  const { interval } = summary;
  return {
    headlineMean: interval.kind === "computed" ? interval.mean : null,
    costNote: describeCopiedCost(summary),
  };
}

interface Assembled {
  readonly groups: readonly ComparedGroup[];
  readonly pairs: readonly ComparedPair[];
}

const WORST_FIRST: readonly CheckVerdict[] = [
  "mismatch",
  "unknown-rule",
  "incomplete",
  "explained",
  "ulp",
  "interim",
  "not-recorded",
  "exact",
];

function stampGroups(chosen: readonly ChosenGroup[]): Comparison["stamp"] {
  const checks = new Set(chosen.flatMap(({ runs }) => runs.map(({ group }) => group.verdict)));
  // Parts of one group share its figures, which count once, and so does a run of two sets.
  const wholes = new Map(
    chosen.flatMap(({ runs, contents }) =>
      runs.map(({ job, figureKey }, at) => [`${job.rowId} ${figureKey}`, contents[at]?.figures] as const),
    ),
  );
  const figures = [...wholes.values()].filter((one) => one !== undefined);
  return {
    verdict: WORST_FIRST.find((verdict) => checks.has(verdict)) ?? "not-recorded",
    nFigures: figures.reduce((sum, { nFigures }) => sum + nFigures, 0),
    nExact: figures.reduce((sum, { nExact }) => sum + nExact, 0),
  };
}
