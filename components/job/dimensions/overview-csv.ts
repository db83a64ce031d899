import { formatCsvLine } from "@/lib/core/format/csv";
import type { DimensionOverview, OverviewRow } from "@/lib/pages/job/dimension-overview";

import type { OverviewGroup } from "./overview-words";

const HEAD = [
  "kind",
  "dimension",
  "n_tasks",
  "agent",
  "model",
  "mean",
  "low",
  "high",
  "n",
  "n_missing",
  "share_of_loss",
];
const DIFFERENCE = ["minus", "difference", "difference_low", "difference_high", "comparisons"];

export function formatOverviewCsv(overview: DimensionOverview, groups: readonly OverviewGroup[]): string {
  const { reward, rows } = overview;
  const all = reward === null ? rows : [reward, ...rows];
  const lines = all.flatMap((row) =>
    groups.map(({ group }, at) =>
      formatCsvLine([
        row.kind,
        row.name,
        row.nTasks,
        group.agent,
        group.model,
        ...listMean(row.cells[at] ?? null),
        row.lossShare,
        ...listDifference(overview, row, group.key),
      ]),
    ),
  );
  return [formatCsvLine([...HEAD, ...DIFFERENCE]), ...lines].join("");
}

function listMean(cell: OverviewRow["cells"][number]): readonly (number | null)[] {
  if (cell === null) return [null, null, null, 0, null];
  const { mean, bounds, n, nMissing } = cell;
  return [mean, ...(bounds.kind === "computed" ? [bounds.low, bounds.high] : [null, null]), n, nMissing];
}

function listDifference(
  { pair }: DimensionOverview,
  { difference }: OverviewRow,
  groupKey: string,
): readonly (string | number | null)[] {
  if (difference === null || pair?.[0] !== groupKey) return [null, null, null, null, null];
  const { bounds } = difference;
  return [
    pair[1],
    difference.difference,
    ...(bounds.kind === "computed" ? [bounds.low, bounds.high, bounds.nComparisons] : [null, null, null]),
  ];
}
