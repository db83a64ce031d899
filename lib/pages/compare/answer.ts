import "server-only";
import { type ChartGroup, pickChartGroup } from "@/lib/core/charts/chart-group";
import {
  type DifferenceAxis,
  type DrawnDifference,
  prepareDifferenceAxis,
} from "@/lib/core/charts/difference-axis";
import {
  type ComparabilityCheck,
  describeAnswer,
  groupByTask,
  type GroupFigures,
  type PairFigures,
} from "@/lib/core/comparison";
import {
  formatDifference,
  formatDifferenceRange,
  formatPlural,
  formatPValue,
  formatReward,
  formatSize,
  MISSING,
} from "@/lib/core/format/number";
import type { PairedComparison } from "@/lib/core/stats";

import type { ChosenGroup } from "./groups";

/** A line of the difference plot: a measure of a pair, or a group against the baseline. */
export interface DifferenceRow {
  readonly id: string;
  readonly label: string;
  /** Absent for a measure. */
  readonly group?: ChartGroup;
  /** Place of the group, for the choice of another baseline. */
  readonly at?: number;
  readonly note: string;
  readonly title: string;
  /** Null if there is nothing to draw. */
  readonly axis: Omit<DifferenceAxis, "ticks"> | null;
  readonly isClear: boolean;
  readonly change: string;
  readonly size: string;
  readonly range: string;
}

type Group = ChosenGroup & Pick<GroupFigures, "cells">;
type Pair = PairFigures & { readonly first: Group; readonly second: Group };

interface Answered {
  readonly groups: readonly Group[];
  readonly pairs: readonly Pair[];
  readonly lead: Pair | null;
  readonly rest: string | null;
  readonly checks: readonly ComparabilityCheck[];
  readonly stamp: { readonly nFigures: number; readonly nExact: number };
  readonly nCommon: number;
  readonly nUnion: number;
}

/** Returns the head of a comparison: the answer, the rows of its plot, and what all groups share. */
export function prepareAnswer(comparison: Answered) {
  return {
    heading: comparison.lead && writeAnswer(comparison.lead),
    facts: listFacts(comparison),
    differences: prepareDifferences(comparison),
    markdown: writeMarkdown(comparison),
  };
}

function prepareDifferences({ groups, pairs }: Answered) {
  const [single, ...others] = pairs;
  const drawn =
    single !== undefined && others.length === 0 ? listMeasures(single) : listGroups(pairs, groups);
  return {
    rows: drawn.rows,
    ticks: drawn.ticks,
    isRate: pairs.every(({ comparison }) => comparison.kind === "unavailable" || comparison.isRate),
  };
}

function listMeasures({ comparison, words, solving, axis }: Pair) {
  if (comparison.kind === "unavailable") return { rows: [], ticks: [] };
  // Points have no place on a scale of another unit.
  const shared = comparison.isRate ? solving.map((one) => one.comparison) : [];
  const all: readonly DrawnDifference[] = [comparison, ...shared];
  const ownAxis = prepareDifferenceAxis(comparison, all);
  const mean = {
    id: "mean",
    label: "Mean",
    axis: pickAxis(ownAxis, words.sentence),
    isClear: isClear(comparison),
    ...describeNumbers(comparison, words.pValue, null),
    title: describeRow(comparison, words, axis),
  };
  const rows = solving.map(({ measure, k, p, comparison: one, isClear: clear }): DifferenceRow => {
    const name = k === 1 ? "Tasks passed" : measure === "passHatK" ? "Every time" : "At least once";
    const numbers = describeNumbers(
      one,
      p === null ? null : formatPValue(p),
      k === 1 ? null : `${measure === "passHatK" ? "pass^" : "pass@"}${String(k)}`,
    );
    const detects =
      one.detectable.kind === "computed"
        ? `, detectable from ${formatSize(one.detectable.difference, true)}`
        : "";
    return {
      id: measure,
      label: name,
      axis: comparison.isRate ? pickAxis(prepareDifferenceAxis(one, all)) : null,
      isClear: clear,
      ...numbers,
      title: `${name}: ${numbers.change}, ${numbers.size} points, 95 % ${numbers.range}, ${numbers.note}${detects}`,
    };
  });
  return { rows: [mean, ...rows], ticks: ownAxis.ticks };
}

function listGroups(pairs: readonly Pair[], groups: Answered["groups"]) {
  const read = ({ comparison }: Pair) =>
    comparison.kind === "computed" ? comparison.difference : Number.NEGATIVE_INFINITY;
  const ordered = pairs.toSorted((a, b) => (read(a) === read(b) ? 0 : read(b) - read(a)));
  const rows = ordered.map(({ first, comparison, words, axis }): DifferenceRow => {
    const own = {
      id: first.id,
      label: first.label,
      group: pickChartGroup(first),
      at: groups.findIndex(({ id }) => id === first.id),
    };
    if (comparison.kind === "unavailable") {
      const { range: note } = describeAnswer(comparison);
      const nothing = { change: MISSING, size: MISSING, range: MISSING };
      return { ...own, note, title: words.sentence, axis: null, isClear: false, ...nothing };
    }
    return {
      ...own,
      ...describeNumbers(comparison, words.pValue, null, false),
      title: describeRow(comparison, words, axis),
      axis: axis && pickAxis(axis, words.sentence),
      isClear: isClear(comparison),
    };
  });
  return { rows, ticks: pairs.find(({ axis }) => axis !== null)?.axis?.ticks ?? [] };
}

function isClear({ verdict }: PairedComparison): boolean {
  return verdict === "first-better" || verdict === "second-better";
}

function pickAxis(
  { interval, undetectable, summary }: DifferenceAxis,
  sentence: string | null = null,
): DifferenceRow["axis"] {
  return { interval, undetectable, summary: sentence === null ? summary : `${sentence} ${summary}` };
}

function describeNumbers(
  one: DrawnDifference & Pick<PairedComparison, "meanFirst" | "meanSecond" | "nTasks">,
  pValue: string | null,
  measure: string | null,
  hasTasks = true,
) {
  const { difference, isRate, bounds } = one;
  const notes = [
    measure,
    pValue === null ? null : `p ${pValue}`,
    hasTasks ? `n ${String(one.nTasks)}` : null,
  ].filter((note) => note !== null);
  return {
    note: notes.join(", "),
    change: `${formatReward(one.meanSecond)} → ${formatReward(one.meanFirst)}`,
    size: formatDifference(difference, isRate),
    range: bounds.kind === "computed" ? formatDifferenceRange(bounds, isRate) : MISSING,
  };
}

function describeRow(
  { detectable, isRate, won, tied, lost, nTasks }: PairedComparison,
  { sentence, caution, intervalBasis, pBasis }: Pair["words"],
  axis: DifferenceAxis | null,
): string {
  const detects =
    detectable.kind === "computed" ? `Detectable from ${formatSize(detectable.difference, isRate)}.` : null;
  const record = `Won ${String(won)}, tied ${String(tied)}, lost ${String(lost)} of ${formatPlural(nTasks, "task")}.`;
  const parts = [sentence, caution, axis?.summary, record, detects, intervalBasis, pBasis];
  return parts.filter((part) => part !== null && part !== undefined).join(" ");
}

function writeAnswer({ comparison, first, second }: Pair) {
  const { winner, hasVerdict, size, range } = describeAnswer(comparison);
  const [ahead, behind] = winner === "second" ? [second, first] : [first, second];
  return { ahead, behind, isClear: winner !== null, hasVerdict, size, range };
}

/** Counts of attempts per task; null where tasks differ in it. */
function countAttempts({ groups }: Answered): number | null {
  const counts = new Set(
    groups.flatMap(({ trials }) => [...groupByTask(trials).values()].map((attempts) => attempts.length)),
  );
  const [each, ...others] = counts;
  return each === undefined || others.length > 0 ? null : each;
}

/** Dataset, size and agent: what all groups share. */
function listFacts(comparison: Answered): readonly string[] {
  const { groups, nCommon, nUnion } = comparison;
  const runs = groups.flatMap((group) => group.runs);
  const share = (values: readonly (string | null)[]) => {
    const [only, ...others] = new Set(values);
    return others.length > 0 || only === null || only === undefined ? [] : [only];
  };
  const attempts = countAttempts(comparison);
  const tasks =
    nCommon === nUnion
      ? formatPlural(nCommon, "task")
      : `${String(nCommon)} common of ${formatPlural(nUnion, "task")}`;
  return [
    ...share(runs.map(({ group }) => group.source)),
    attempts === null ? tasks : `${tasks} × ${formatPlural(attempts, "attempt")}`,
    ...share(runs.map(({ group: { agent, model } }) => [agent, model].filter(Boolean).join(", "))),
  ];
}

/** The answer, its rows and its checks, to paste elsewhere. The page's URL follows. */
function writeMarkdown(comparison: Answered): string {
  const { lead, rest, stamp, pairs, groups, checks } = comparison;
  if (lead === null) return "";
  const { ahead, behind, isClear: clear, hasVerdict, size, range } = writeAnswer(lead);
  const answer = clear
    ? `${ahead.label} is better than ${behind.label} by ${size}`
    : `${hasVerdict ? "No clear difference" : "No verdict"} between ${ahead.label} and ${behind.label}`;
  const { rows, isRate } = prepareDifferences(comparison);
  const { comparison: paired } = lead;
  const rules = checks.find(({ name, state }) => name === "scoring rule" && state === "differs");
  const costs = groups.map(({ cells }) => cells.costPerSolve.value);
  const lines = [
    ...(rules === undefined ? [] : [`The scoring rules differ. ${rules.detail}`]),
    `**${answer}** (${[range, ...(lead.words.pValue === null ? [] : [`p ${lead.words.pValue}`])].join(", ")})`,
    ...(pairs.length === 1
      ? [rows.map(({ label, change }) => `${label} ${change}`).join(" · ")]
      : rows.map(({ label, change, size: own, range: ownRange, note }) =>
          [`- ${label} ${change}`, `${own}${isRate ? " points" : ""}`, `95 % ${ownRange}`, note].join(", "),
        )),
    ...(rest === null ? [] : [rest]),
    ...(paired.kind === "unavailable" || pairs.length > 1
      ? [listFacts(comparison).join(", ")]
      : [
          `${String(paired.won)} tasks better, ${String(paired.lost)} worse, ${String(paired.tied)} the same (${listFacts(comparison).join(", ")})`,
        ]),
    [
      ...(pairs.length === 1 && costs.every((cost) => cost !== null)
        ? [`Cost per solve ${costs.map((cost) => `$${cost}`).join(" → ")}`]
        : []),
      `${String(stamp.nExact)} of ${String(stamp.nFigures)} figures checked`,
    ].join(" · "),
  ];
  return lines.filter((line) => line !== "").join("\n");
}
