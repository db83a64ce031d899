import { formatCsvLine } from "@/lib/format/csv";
import type { DimensionsBeside } from "@/lib/queries/job/dimensions-beside";

const HEAD = [
  "kind",
  "dimension",
  "task",
  "n_tasks",
  "job",
  "minus",
  "mean",
  "mean_of_other",
  "difference",
  "difference_low",
  "difference_high",
  "comparisons",
];

/** What is drawn of two jobs with all digits, a line for each dimension. */
export function formatBesideCsv({ reward, rows, single, other }: DimensionsBeside, jobName: string): string {
  const all = [...(reward === null ? [] : [reward]), ...rows, ...single];
  const lines = all.map(({ kind, name, task, comparison }) => {
    const { bounds, nTasks, meanFirst, meanSecond, difference } = comparison;
    const limits =
      bounds.kind === "computed" ? [bounds.low, bounds.high, bounds.nComparisons] : [null, null, null];
    return formatCsvLine([
      ...[kind, name, task, nTasks, jobName, other.name],
      ...[meanFirst, meanSecond, difference],
      ...limits,
    ]);
  });
  return [formatCsvLine(HEAD), ...lines].join("");
}
