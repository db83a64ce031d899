import "server-only";
import { LRUCache } from "lru-cache";

import { pickChartGroup } from "@/lib/core/charts/chart-group";
import type { PlaneChart, PlaneValue } from "@/lib/core/charts/plane-chart";
import { prepareSpendingCharts } from "@/lib/core/charts/spending-chart";
import { shortenNames } from "@/lib/core/charts/text-fit";
import { computeSpending, type GroupSpending, type Spending } from "@/lib/core/comparison";
import type { SpendingMeasure } from "@/lib/core/domain/spending";
import { formatCsvLine } from "@/lib/core/format/csv";
import { formatCost, formatCount, formatRange, formatReward, MISSING } from "@/lib/core/format/number";
import { formatDuration } from "@/lib/core/format/time";
import type { CompareParams } from "@/lib/pages/compare/address";

import { nameVersions } from "./groups";
import type { ComparedGroup, Comparison } from "./page";

export interface SpendingRow {
  readonly group: ComparedGroup;
  readonly score: string;
  readonly scoreRange: string;
  readonly spent: string;
  readonly spentRange: string;
  readonly costPerSolve: ComparedGroup["cells"]["costPerSolve"];
  readonly nKnown: number;
  readonly nUnknown: number;
  readonly standing: GroupSpending["standing"];
  readonly beatenBy: string | null;
}

export interface SpendingPanel {
  readonly measure: SpendingMeasure;
  readonly rows: readonly SpendingRow[];
  readonly charts: readonly PlaneChart[];
  readonly nUnplaced: number;
  readonly nUnknown: number;
  readonly nSweeps: number;
  readonly resamples: number;
  readonly csv: string;
}

const kept = new LRUCache<string, Spending, () => Spending>({
  max: 20,
  memoMethod: (_key, _old, { context }) => context(),
});

const NAME_ROOM = 180;

/** Computes what the groups of a comparison spend, by the measure of the address. */
export function getSpending(comparison: Comparison, params: CompareParams): SpendingPanel {
  const { groups, key } = comparison;
  const { spent: measure, tasks, threshold, missing } = params;
  const spending = kept.memo(
    JSON.stringify([nameVersions(groups), key, tasks, threshold, missing, measure]),
    {
      context: () => computeSpending(groups, groups, measure, params),
    },
  );
  const names = shortenNames(
    groups.map(({ label }) => label),
    NAME_ROOM,
  );
  const rows = groups.flatMap((group, at) => {
    const own = spending.groups[at];
    return own === undefined ? [] : [toRow(group, own, groups, measure)];
  });
  const points = groups.map((group, at) => {
    const own = spending.groups[at];
    return {
      group: pickChartGroup(group),
      name: names[at] ?? group.label,
      score: readScore(group),
      spent: own === undefined ? null : readSpent(own),
      isDominated: own?.standing === "dominated",
      curve:
        group.curve.kind === "computed"
          ? group.curve.points.map(({ k, passAtK }) => ({ k, value: passAtK.value }))
          : [],
      title: `${group.label}: score ${rows[at]?.score ?? MISSING}, ${rows[at]?.spent ?? MISSING} an attempt`,
    };
  });
  return {
    measure,
    rows,
    charts: prepareSpendingCharts(points, measure, spending.sweeps),
    nUnplaced: points.filter(({ score, spent }) => score === null || spent === null).length,
    nUnknown: rows.reduce((sum, { nUnknown }) => sum + nUnknown, 0),
    nSweeps: spending.sweeps.length,
    resamples: spending.resamples,
    csv: formatSpendingCsv(groups, spending),
  };
}

function readScore({ certainty: { mean } }: ComparedGroup): PlaneValue | null {
  if (mean.kind === "unavailable") return null;
  const { bounds } = mean;
  return bounds.kind === "computed"
    ? { value: mean.mean, low: bounds.low, high: bounds.high }
    : { value: mean.mean, low: null, high: null };
}

function readSpent({ perAttempt }: GroupSpending): PlaneValue | null {
  if (perAttempt.kind === "unavailable") return null;
  const { bounds, ratio } = perAttempt;
  return bounds.kind === "computed"
    ? { value: ratio, low: bounds.low, high: bounds.high }
    : { value: ratio, low: null, high: null };
}

const FORMATS: Readonly<Record<SpendingMeasure, (value: number) => string>> = {
  cost: formatCost,
  time: formatDuration,
  tokens: (value) => formatCount(Math.round(value)),
};

function toRow(
  group: ComparedGroup,
  own: GroupSpending,
  groups: readonly ComparedGroup[],
  measure: SpendingMeasure,
): SpendingRow {
  const [score, spent] = [readScore(group), readSpent(own)];
  return {
    group,
    score: formatReward(score?.value ?? null),
    scoreRange: formatEnds(score, formatReward),
    spent: spent === null ? MISSING : FORMATS[measure](spent.value),
    spentRange: formatEnds(spent, FORMATS[measure]),
    costPerSolve: group.cells.costPerSolve,
    nKnown: own.nKnown,
    nUnknown: own.nUnknown,
    standing: own.standing,
    beatenBy: own.beatenBy === null ? null : (groups[own.beatenBy]?.label ?? null),
  };
}

function formatEnds(value: PlaneValue | null, format: (value: number) => string): string {
  if (value === null || value.low === null || value.high === null) return MISSING;
  return formatRange({ low: value.low, high: value.high }, format);
}

const CSV_UNITS: Readonly<Record<SpendingMeasure, string>> = { cost: "usd", time: "ms", tokens: "tokens" };

function formatSpendingCsv(groups: readonly ComparedGroup[], { measure, groups: own }: Spending): string {
  const unit = CSV_UNITS[measure];
  const head = [
    "group",
    "score",
    "score_low",
    "score_high",
    `${unit}_per_attempt`,
    `${unit}_low`,
    `${unit}_high`,
  ];
  const lines = groups.map((group, at) => {
    const spending = own[at];
    const [score, spent] = [readScore(group), spending === undefined ? null : readSpent(spending)];
    const { costPerSolve: solve } = group.certainty;
    return formatCsvLine([
      group.label,
      ...[score, spent].flatMap((one) => [one?.value ?? null, one?.low ?? null, one?.high ?? null]),
      spending?.nKnown ?? null,
      spending?.nUnknown ?? null,
      spending?.standing ?? null,
      solve.kind === "computed" ? solve.ratio : null,
      solve.kind === "computed" && solve.bounds.kind === "computed" ? solve.bounds.low : null,
      solve.kind === "computed" && solve.bounds.kind === "computed" ? solve.bounds.high : null,
    ]);
  });
  return [
    formatCsvLine([
      ...head,
      "n_known",
      "n_unknown",
      "standing",
      "usd_per_solve",
      "usd_per_solve_low",
      "usd_per_solve_high",
    ]),
    ...lines,
  ].join("");
}
