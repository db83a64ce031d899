import { formatCsvLine } from "@/lib/core/format/csv";
import type { DimensionsBeside } from "@/lib/pages/job/dimensions-beside";

const HEAD = [
  "kind",
  "dimension",
  "task",
  "n_tasks",
  "name",
  "minus",
  "mean",
  "mean_of_other",
  "difference",
  "difference_low",
  "difference_high",
  "comparisons",
];

export function formatBesideCsv({ reward, rows, single, here, other }: DimensionsBeside): string {
  const all = [...(reward === null ? [] : [reward]), ...rows, ...single];
  const lines = all.map(({ kind, name, task, comparison }) => {
    const { bounds, nTasks, meanFirst, meanSecond, difference } = comparison;
    const limits =
      bounds.kind === "computed" ? [bounds.low, bounds.high, bounds.nComparisons] : [null, null, null];
    return formatCsvLine([
      ...[kind, name, task, nTasks, here.name, other.name],
      ...[meanFirst, meanSecond, difference],
      ...limits,
    ]);
  });
  return [formatCsvLine(HEAD), ...lines].join("");
}
