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
export type DifferenceRow = ReturnType<typeof createRow>;

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
  return {
    ...(single === undefined || others.length > 0 ? listGroups(pairs, groups) : listMeasures(single)),
    isRate: pairs.every(({ comparison }) => comparison.kind === "unavailable" || comparison.isRate),
  };
}

function listMeasures({ comparison, words, solving }: Pair) {
  if (comparison.kind === "unavailable") return { rows: [], ticks: [] };
  // Points have no place on a scale of another unit.
  const shared = comparison.isRate ? solving.map((one) => one.comparison) : [];
  const all: readonly DrawnDifference[] = [comparison, ...shared];
  const axis = prepareDifferenceAxis(comparison, all);
  const mean = createRow({ id: "mean", label: "Mean" }, comparison, {
    ...describeMean(comparison, words),
    axis,
    notes: [words.pValue && `p ${words.pValue}`, `n ${String(comparison.nTasks)}`],
  });
  const rows = solving.map(({ measure, k, p, isClear, comparison: one }) => {
    const [name, sign] = measure === "passHatK" ? ["Every time", "pass^"] : ["At least once", "pass@"];
    const own = { id: measure, label: k === 1 ? "Tasks passed" : name };
    return createRow(own, one, {
      axis: comparison.isRate ? prepareDifferenceAxis(one, all) : null,
      isClear,
      notes: [
        k === 1 ? null : `${sign}${String(k)}`,
        p === null ? null : `p ${formatPValue(p)}`,
        `n ${String(one.nTasks)}`,
      ],
      words: [own.label],
    });
  });
  return { rows: [mean, ...rows], ticks: axis.ticks };
}

function listGroups(pairs: readonly Pair[], groups: Answered["groups"]) {
  const read = ({ comparison }: Pair) =>
    comparison.kind === "computed" ? comparison.difference : Number.NEGATIVE_INFINITY;
  const ordered = pairs.toSorted((a, b) => (read(a) === read(b) ? 0 : read(b) - read(a)));
  const rows = ordered.map(({ first, comparison, words, axis }) => {
    const at = groups.findIndex(({ id }) => id === first.id);
    const own = { id: first.id, label: first.label, group: pickChartGroup(first), at };
    if (comparison.kind === "unavailable") {
      const note = describeAnswer(comparison).range;
      const none = { change: MISSING, size: MISSING, range: MISSING, axis: null, isClear: false };
      return { ...own, ...none, note, title: words.sentence };
    }
    const notes = [words.pValue && `p ${words.pValue}`];
    return createRow(own, comparison, { ...describeMean(comparison, words), axis, notes });
  });
  return { rows, ticks: pairs.find(({ axis }) => axis !== null)?.axis?.ticks ?? [] };
}

function describeMean({ verdict, won, tied, lost }: PairedComparison, words: Pair["words"]) {
  return {
    isClear: verdict === "first-better" || verdict === "second-better",
    words: [
      words.sentence,
      words.caution,
      `Won ${String(won)}, tied ${String(tied)}, lost ${String(lost)}.`,
      words.intervalBasis,
      words.pBasis,
    ],
  };
}

function createRow(
  /** A group has its place, for the choice of another baseline. */
  place: {
    readonly id: string;
    readonly label: string;
    readonly group?: ChartGroup;
    readonly at?: number;
  },
  one: DrawnDifference & Pick<PairedComparison, "meanFirst" | "meanSecond">,
  {
    axis,
    isClear,
    notes,
    words: [name, ...details],
  }: {
    readonly axis: DifferenceAxis | null;
    readonly isClear: boolean;
    readonly notes: readonly (string | null)[];
    readonly words: readonly (string | null)[];
  },
) {
  const { difference, isRate, bounds, detectable } = one;
  const title = [
    name,
    axis?.summary,
    detectable.kind === "computed" ? `Detectable from ${formatSize(detectable.difference, isRate)}.` : null,
    ...details,
  ];
  const drawn = axis && {
    interval: axis.interval,
    undetectable: axis.undetectable,
    summary: `${name ?? ""} ${axis.summary}`,
  };
  return {
    ...place,
    axis: drawn,
    isClear,
    note: notes.filter((note) => note !== null).join(", "),
    title: title.filter((part) => typeof part === "string").join(" "),
    change: `${formatReward(one.meanSecond)} → ${formatReward(one.meanFirst)}`,
    size: formatDifference(difference, isRate),
    range: bounds.kind === "computed" ? formatDifferenceRange(bounds, isRate) : MISSING,
  };
}

function writeAnswer({ comparison, first, second }: Pair) {
  const { winner, hasVerdict, size, range } = describeAnswer(comparison);
  const [ahead, behind] = winner === "second" ? [second, first] : [first, second];
  const isClear = winner !== null;
  /** Before, between and after the names. */
  const words = isClear
    ? (["", " is better than ", ` by ${size}`] as const)
    : ([`No ${hasVerdict ? "clear difference" : "verdict"} between `, " and ", ""] as const);
  return { ahead, behind, words, range };
}

/** Dataset, size and agent: what all groups share. */
function listFacts({ groups, nCommon, nUnion }: Answered): readonly string[] {
  const runs = groups.flatMap((group) => group.runs);
  const share = <T>(values: readonly (T | null)[]) => {
    const [only, ...others] = new Set(values);
    return others.length > 0 || only === null || only === undefined ? [] : [only];
  };
  const tasks = nCommon === nUnion ? "" : ` common of ${String(nUnion)}`;
  const [each] = share(
    groups.flatMap(({ trials }) => [...groupByTask(trials).values()].map(({ length }) => length)),
  );
  const attempts = each === undefined ? "" : ` × ${formatPlural(each, "attempt")}`;
  return [
    ...share(runs.map(({ group }) => group.source)),
    `${tasks === "" ? formatPlural(nCommon, "task") : `${String(nCommon)}${tasks} tasks`}${attempts}`,
    ...share(runs.map(({ group: { agent, model } }) => [agent, model].filter(Boolean).join(", "))),
  ];
}

/** The answer, its rows and its checks, to paste elsewhere. The page's URL follows. */
function writeMarkdown(comparison: Answered): string {
  const { lead, rest, stamp, pairs, groups, checks } = comparison;
  if (lead === null) return "";
  const { ahead, behind, words, range } = writeAnswer(lead);
  const answer = `${words[0]}${ahead.label}${words[1]}${behind.label}${words[2]}`;
  const p = lead.words.pValue === null ? "" : `, p ${lead.words.pValue}`;
  const rules = checks.find(({ name, state }) => name === "scoring rule" && state === "differs");
  const isPair = pairs.length === 1;
  const rows = prepareDifferences(comparison).rows.map((row) => `${row.label} ${row.change}`);
  const paired = lead.comparison;
  const costs = groups.map(({ cells }) => `$${cells.costPerSolve.value ?? MISSING}`);
  const counts =
    isPair && paired.kind === "computed"
      ? `${formatPlural(paired.won, "task")} better, ${String(paired.lost)} worse, ${String(paired.tied)} the same. `
      : "";
  return [
    rules && `The scoring rules differ. ${rules.detail}`,
    `**${answer}** (${range}${p})`,
    rest,
    rows.join(" · "),
    `${counts}${listFacts(comparison).join(", ")}`,
    `${isPair ? `Cost per solve ${costs.join(" → ")} · ` : ""}${String(stamp.nExact)} of ${String(stamp.nFigures)} figures checked`,
  ]
    .filter((line) => typeof line === "string" && line !== "")
    .join("\n");
}
