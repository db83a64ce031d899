import "server-only";
import { LRUCache } from "lru-cache";

import { type CurveInput, listMeasures, prepareCurveChart } from "@/lib/core/charts/curve-chart";
import {
  applyScoring,
  checkComparability,
  checkRuns,
  type CompareFigures,
  computeFigures,
  describeAdjustment,
  describeCounting,
  describeCurves,
  describeRest,
  describeSensitivity,
  listLikelyRepeats,
  listRewardKeys,
  markMixed,
  orderByStart,
  POSSIBLE_COPIES,
} from "@/lib/core/comparison";
import { MAX_COLOURED } from "@/lib/core/domain/compare-filter";
import type { CheckVerdict } from "@/lib/core/domain/verification";
import { formatDifferenceRange, formatPoints } from "@/lib/core/format/number";
import { describeCopiedCost } from "@/lib/core/format/words";
import type { CurveValue, PassCurve, Unavailable } from "@/lib/core/stats";
import type { CompareFilter } from "@/lib/pages/compare/address";
import { readRolloutLinks, type RolloutLink } from "@/lib/store/tables";

import { getCached, getIdentityOf, getStore } from "../shell/catalog";
import { prepareAnswer } from "./answer";
import {
  type ChosenGroup,
  findOpenGroups,
  type FoundGroup,
  nameVersions,
  openGroups,
  readChosenGroups,
} from "./groups";
import { createMatrix } from "./matrix";
import { type GroupVerdicts, NO_VERDICTS, readVerdicts } from "./verdicts";

export type { ChosenGroup, FoundGroup, Run } from "./groups";

export type ComparedGroup = ReturnType<typeof assemble>["groups"][number];
/** `first` minus `second`, where `second` is the baseline, the first chosen group. */
export type ComparedPair = ReturnType<typeof assemble>["pairs"][number];
export type Comparison = ReturnType<typeof compareGroups>;
export type CompareChoice = Awaited<ReturnType<typeof getCompareChoice>>;
export type ComparePage = Awaited<ReturnType<typeof getComparePage>>;

export async function getCompareChoice({ refs, order }: Pick<CompareFilter, "refs" | "order">) {
  const { chosen: found, unknown } = await findOpenGroups(refs, await getIdentityOf());
  const chosen = assignMarkers(order === "chosen" ? found : orderByStart(found));
  return { chosen, unknown, suggested: suggestSets(chosen) };
}

/**
 * Gives groups of a single agent and model a marker each. Markers follow the sorted ids, so that reordering groups does not change
 * them.
 */
export function assignMarkers(chosen: readonly FoundGroup[]): readonly FoundGroup[] {
  const isOneAgent = new Set(chosen.map(({ identity }) => identity)).size === 1;
  if (!isOneAgent || chosen.length < 2 || chosen.length > MAX_COLOURED) return chosen;
  const ids = chosen.map(({ id }) => id).toSorted();
  return chosen.map((group) => ({ ...group, identity: ids.indexOf(group.id) + 1, variant: 0 }));
}

function suggestSets(chosen: readonly FoundGroup[]): readonly (readonly FoundGroup[])[] {
  const single = chosen.filter(({ runs }) => runs.length === 1);
  const byRef = new Map(single.map((group) => [group.runs[0].ref, group]));
  const sets = listLikelyRepeats(single.map((group) => group.runs[0]));
  return sets.map((refs) => refs.flatMap((ref) => byRef.get(ref) ?? []));
}

export async function getComparePage(filter: CompareFilter) {
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
    // Pooled copies would look like independent attempts.
    suggested: hasCopies ? [] : choice.suggested,
    comparison,
    /** Pairs of groups that are not independent, because they share rollouts. */
    shared: findSharedRollouts(choice.chosen, links),
  };
}

export function compareGroups(
  named: readonly ChosenGroup[],
  filter: CompareFilter,
  verdicts: GroupVerdicts = NO_VERDICTS,
) {
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
  // Only the open tab reads them.
  const readCharts = once(() => prepareCharts({ ...figures, lead }, k));
  const readMatrix = once(() =>
    createMatrix(chosen, allTasks, key, filter, {
      verdicts,
      versus: chooseVersus(figures.groups, lead, filter.versus),
    }),
  );
  const nCommon = commonTasks.length;
  const counting = describeCounting(filter, chosen);
  const rest = describeRest(
    figures.pairs.filter((pair) => pair !== lead).map(({ first, words }) => ({ name: first.label, words })),
    figures.groups[0]?.label ?? "",
  );
  const checks = checkComparability(chosen, commonTasks, allTasks.length, key);
  const head = { lead, rest, checks, stamp: stampGroups(chosen), nCommon, nUnion: allTasks.length };
  const readAnswer = once(() => prepareAnswer({ ...figures, ...head }));
  return {
    ...figures,
    rewardKeys,
    key,
    /** Parameters whose value no chosen group has; another value is used. */
    unknown: (["key", "k"] as const).filter((name) => ![null, key, k].includes(filter[name])),
    ks,
    k,
    /** `lead`: the pair of the title, the group furthest ahead of the first, a clear winner if there is one. */
    ...head,
    get answer() {
      return readAnswer();
    },
    /** Says that verdicts, intervals and p-values of the pairs hold jointly; null for a single pair. */
    adjustment: describeAdjustment(figures.pairs.length),
    get charts() {
      return readCharts();
    },
    get caption() {
      const captioned = { groups: figures.groups, charts: readCharts(), ks, key, nCommon, counting };
      return describeCurves(captioned, filter);
    },
    counting,
    get matrix() {
      return readMatrix();
    },
  };
}

/** Job versions are never reused, so no entry can be stale. */
const kept = new LRUCache<string, CompareFigures, () => CompareFigures>({
  max: 40,
  memoMethod: (_key, _old, { context }) => context(),
});

/** Caches figures that need resampling, so that sorting and choosing k cost nothing. */
export function getFigures(chosen: readonly ChosenGroup[], key: string, filter: CompareFilter) {
  const name = JSON.stringify([nameVersions(chosen), key, filter.threshold, filter.missing, filter.tasks]);
  return kept.memo(name, { context: () => computeFigures(chosen, key, filter) });
}

function once<T>(compute: () => T): () => T {
  let found: { readonly value: T } | null = null;
  return () => (found ??= { value: compute() }).value;
}

function chooseVersus(
  groups: readonly ComparedGroup[],
  lead: ComparedPair | null,
  asked: number | null,
): number {
  if (asked !== null && asked <= groups.length) return asked - 1;
  const at = groups.findIndex(({ id }) => id === lead?.first.id);
  return at < 1 ? 1 : at;
}

/** Largest difference, of a clear winner if any; the first of equals. */
function selectLead(pairs: readonly ComparedPair[]): ComparedPair | null {
  const clear = pairs.filter(({ words }) => words.verdict === "better");
  return (clear.length > 0 ? clear : pairs).reduce<ComparedPair | null>(
    (best, pair) => (best === null || readDifference(pair) > readDifference(best) ? pair : best),
    null,
  );
}

/** Largest k at which every group with a curve has a value. */
function selectCommonK(groups: readonly ComparedGroup[]): number | null {
  const lasts = groups.flatMap(({ curve }) => listKs(curve).at(-1) ?? []);
  return lasts.length === 0 ? null : Math.min(...lasts);
}

function listKs(curve: PassCurve | Unavailable): readonly number[] {
  return curve.kind === "unavailable" ? [] : curve.points.map((point) => point.k);
}

function assemble(chosen: readonly ChosenGroup[], figures: CompareFigures) {
  const groups = chosen.flatMap((group, index) => {
    const own = figures.groups[index];
    if (own === undefined) return [];
    const sensitivityLine = describeSensitivity(own.certainty.sensitivity);
    return [{ ...group, ...own, ...describeRuns(group), sensitivityLine, runChecks: checkRuns(group) }];
  });
  const pairs = figures.pairs.flatMap((pair, index) => {
    const { a, b } = figures.sides[index] ?? { a: -1, b: -1 };
    const [first, second] = [groups[a], groups[b]];
    return first === undefined || second === undefined ? [] : [{ ...pair, first, second }];
  });
  return { groups, pairs };
}

function describeRuns({ runs: [{ summary }, ...others] }: ChosenGroup) {
  // The mean is as on the job's page. A run set counts a rollout once and has no page of its own.
  if (others.length > 0) return { headlineMean: null, costNote: null };
  const { interval } = summary;
  return {
    headlineMean: interval.kind === "computed" ? interval.mean : null,
    costNote: describeCopiedCost(summary),
  };
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

function stampGroups(chosen: readonly ChosenGroup[]) {
  const checks = new Set(chosen.flatMap(({ runs }) => runs.map(({ group }) => group.verdict)));
  // Counts figures once that parts of a group, or sets with a common run, share.
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

interface ChartedComparison {
  readonly groups: readonly ComparedGroup[];
  readonly pairs: readonly ComparedPair[];
  readonly lead: ComparedPair | null;
}

/** More lines in one plot cannot be followed. */
const MOST_LINES = MAX_COLOURED;

/** Both curves, with at most six lines and bands for the title's pair. A single pair has its differences in words. */
function prepareCharts(comparison: ChartedComparison, k: number | null) {
  const { groups, pairs } = comparison;
  const lines = chooseLines(comparison);
  const single = pairs.length === 1 ? pairs[0]?.difference : undefined;
  const points = single?.kind === "computed" ? single.points : [];
  return listMeasures(groups.map(({ curve }) => curve)).map((words) =>
    prepareCurveChart(lines, {
      ...words,
      id: words.measure,
      chosenK: k,
      differences: points.map((point) => ({ k: point.k, words: describeDifference(point[words.measure]) })),
    }),
  );
}

function describeDifference({ value, band }: CurveValue): string {
  const size = `${formatPoints(value)} points`;
  return band.kind === "computed" ? `${size}, ${formatDifferenceRange(band, true)}` : `${size}, no interval`;
}

/** The first group and those with the largest differences from it. */
function chooseLines({ groups, pairs, lead }: ChartedComparison): readonly CurveInput[] {
  const titled = new Set([groups[0]?.id, lead?.first.id]);
  const byScore = pairs
    .toSorted((a, b) => readDifference(b) - readDifference(a))
    .map(({ first }) => first.id);
  const shown = new Set([groups[0]?.id, ...byScore].slice(0, MOST_LINES));
  return groups
    .filter(({ id }) => shown.has(id))
    .map(({ id, label, identity, variant, isInk, curve, recorded }) => ({
      group: { id, label, identity, variant, ...(isInk === undefined ? {} : { isInk }) },
      curve,
      recorded,
      // More than three bands hide one another.
      isBanded: groups.length <= 2 || titled.has(id),
    }));
}

function readDifference({ comparison }: ComparedPair): number {
  return comparison.kind === "computed" ? comparison.difference : Number.NEGATIVE_INFINITY;
}

/**
 * Finds groups that share rollouts: a source and its regrade, or two regrades of one source. Such groups are not independent
 * samples.
 */
export function findSharedRollouts(groups: readonly FoundGroup[], links: readonly RolloutLink[]) {
  const ends = links.map((link) => ({
    trial: `${link.jobRowId} ${link.position}`,
    group: `${link.jobRowId} ${link.groupKey}`,
    source: `${link.sourceJobRowId} ${link.sourcePosition}`,
    sourceGroup: `${link.sourceJobRowId} ${link.sourceGroupKey}`,
  }));
  const sources = new Map(ends.map(({ trial, source }) => [trial, source]));
  const sets = groups.map(({ runs }) => {
    const names = new Set(runs.map(({ job, group }) => `${job.rowId} ${group.key}`));
    const regrades = ends.filter((end) => names.has(end.group)).map(({ trial }) => trial);
    const regraded = ends.filter((end) => names.has(end.sourceGroup)).map(({ source }) => source);
    return new Set([...regrades, ...regraded].map((trial) => findRun(trial, sources)));
  });
  return groups.flatMap((first, index) =>
    groups.slice(index + 1).flatMap((second, offset) => {
      const [own, other] = [sets[index], sets[index + 1 + offset]];
      const nRollouts = [...(own ?? [])].filter((name) => other?.has(name)).length;
      return nRollouts === 0 ? [] : [{ first, second, nRollouts }];
    }),
  );
}

/** Returns the original trial. A regrade may itself be regraded, and files may claim a cycle. */
function findRun(trial: string, sources: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = trial;
  for (let source = sources.get(at); source !== undefined && !seen.has(at);) {
    seen.add(at);
    at = source;
    source = sources.get(at);
  }
  return at;
}
