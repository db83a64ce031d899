import "server-only";
import { LRUCache } from "lru-cache";

import { pickChartGroup } from "@/lib/core/charts/chart-group";
import { type StripValue, withBounds } from "@/lib/core/charts/interval-strip";
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

export type SpendingPanel = ReturnType<typeof getSpending>;
export type SpendingRow = ReturnType<typeof toRow>;

const kept = new LRUCache<string, Spending, () => Spending>({
  max: 20,
  memoMethod: (_key, _old, { context }) => context(),
});

const NAME_ROOM = 180;

/** Computes what the groups of a comparison spend, by the measure of the address. */
export function getSpending(comparison: Comparison, params: CompareParams) {
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
  const all = groups.flatMap((group, at) => {
    const own = spending.groups[at];
    if (own === undefined) return [];
    const row = toRow(group, own, groups, measure);
    const point = {
      group: row.group,
      name: names[at] ?? group.label,
      score: readScore(group),
      spent: readSpent(own),
      isDominated: row.isFaint,
      curve:
        group.curve.kind === "computed"
          ? group.curve.points.map(({ k, passAtK }) => ({ k, value: passAtK.value }))
          : [],
      title: `${group.label}: score ${row.score}, ${row.spent} an attempt`,
    };
    return [{ group, own, row, point }];
  });
  const [rows, points] = [all.map(({ row }) => row), all.map(({ point }) => point)];
  return {
    measure,
    rows,
    charts: prepareSpendingCharts(points, measure, spending.sweeps),
    nUnplaced: points.filter(({ score, spent }) => score === null || spent === null).length,
    nUnknown: rows.reduce((sum, { nUnknown }) => sum + nUnknown, 0),
    nSweeps: spending.sweeps.length,
    resamples: spending.resamples,
    csv: formatSpendingCsv(measure, all),
  };
}

function readScore({ certainty: { mean } }: ComparedGroup): StripValue | null {
  return mean.kind === "unavailable" ? null : withBounds(mean.mean, mean.bounds);
}

function readSpent({ perAttempt }: Pick<GroupSpending, "perAttempt">): StripValue | null {
  return perAttempt.kind === "unavailable" ? null : withBounds(perAttempt.ratio, perAttempt.bounds);
}

const FORMATS: Readonly<Record<SpendingMeasure, (value: number) => string>> = {
  cost: formatCost,
  time: formatDuration,
  tokens: (value) => formatCount(Math.round(value)),
};

function toRow(
  group: ComparedGroup,
  { nKnown, nUnknown, standing, beatenBy, ...own }: GroupSpending,
  groups: readonly ComparedGroup[],
  measure: SpendingMeasure,
) {
  const [score, spent] = [readScore(group), readSpent(own)];
  const stands = beatenBy === null ? "not beaten" : `beaten by ${groups[beatenBy]?.label ?? ""}`;
  return {
    group: pickChartGroup(group),
    score: formatReward(score?.value ?? null),
    scoreRange: formatEnds(score, formatReward),
    spent: spent === null ? MISSING : FORMATS[measure](spent.value),
    spentRange: formatEnds(spent, FORMATS[measure]),
    perSolve: group.cells.costPerSolve,
    nKnown,
    nUnknown,
    standing: standing === "unknown" ? "unknown" : stands,
    isFaint: standing === "dominated",
  };
}

function formatEnds(value: StripValue | null, format: (value: number) => string): string {
  if (value === null || value.low === null || value.high === null) return MISSING;
  return formatRange({ low: value.low, high: value.high }, format);
}

const CSV_UNITS: Readonly<Record<SpendingMeasure, string>> = { cost: "usd", time: "ms", tokens: "tokens" };

function formatSpendingCsv(
  measure: SpendingMeasure,
  all: readonly { readonly group: ComparedGroup; readonly own: GroupSpending }[],
): string {
  const unit = CSV_UNITS[measure];
  const head = [
    ...["group", "score", "score_low", "score_high"],
    ...[`${unit}_per_attempt`, `${unit}_low`, `${unit}_high`],
    ...["n_known", "n_unknown", "standing"],
    ...["usd_per_solve", "usd_per_solve_low", "usd_per_solve_high"],
  ];
  const list = (one: StripValue | null) => [one?.value ?? null, one?.low ?? null, one?.high ?? null];
  const lines = all.map(({ group, own }) => {
    const { costPerSolve: solve } = group.certainty;
    return [
      group.label,
      ...list(readScore(group)),
      ...list(readSpent(own)),
      ...[own.nKnown, own.nUnknown, own.standing],
      ...list(solve.kind === "computed" ? withBounds(solve.ratio, solve.bounds) : null),
    ];
  });
  return [head, ...lines].map(formatCsvLine).join("");
}
