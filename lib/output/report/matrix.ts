import { type ComparedGroups, groupByTask, readRewardAt } from "@/lib/core/comparison";
import { compareNames } from "@/lib/core/domain/compare-text";
import { countPageBytes, takeFitting } from "@/lib/core/domain/page-bytes";
import { applyMissingRule, compareTaskMeans, computeMean, countSuccesses } from "@/lib/core/stats";

export interface ReportCell {
  readonly n: number;
  readonly c: number;
  /** Mean reward of the attempts that count; null when none does or one is not finite. */
  readonly mean: number | null;
  /** Colour level, 0 to 5, by the share that passes. */
  readonly level: number;
}

export interface ReportRow {
  readonly task: string;
  readonly cells: readonly ReportCell[];
  readonly spread: number | null;
}

export interface ReportMatrix {
  readonly rows: readonly ReportRow[];
  /** Tasks of all groups; `rows` may hold only the first of them. */
  readonly nTasks: number;
  /** True if some reward is neither 0 nor 1, so that means add information to counts. */
  readonly hasMeans: boolean;
}

/** Bytes of all rows, and of a row and a cell without the task's name. */
const MOST_BYTES = 500_000;
const ROW_BYTES = 60;
const CELL_BYTES = 60;

const MOST_LEVELS = 5;

/** Prepares the matrix of a report, bounded so that the report is small enough to send. */
export function prepareReportMatrix(compared: ComparedGroups): ReportMatrix {
  const { groups, figures, key } = compared;
  const byGroup = groups.map(({ trials }) => groupByTask(trials));
  const rows = figures.allTasks.map((task): ReportRow => {
    const cells = byGroup.map((trialsOf) => prepareCell(task, trialsOf.get(task) ?? [], compared));
    const means = cells.flatMap(({ mean }) => mean ?? []);
    return {
      task,
      cells,
      spread: means.length < cells.length ? null : Math.max(...means) - Math.min(...means),
    };
  });
  const sorted = rows.toSorted((a, b) => compareSpreads(a.spread, b.spread) || compareNames(a.task, b.task));
  return {
    rows: takeFitting(
      sorted,
      MOST_BYTES,
      ({ task, cells }) => ROW_BYTES + countPageBytes(task) + CELL_BYTES * cells.length,
    ),
    nTasks: rows.length,
    hasMeans: groups.some(({ trials }) =>
      trials.some((trial) => ![null, 0, 1].includes(readRewardAt(trial, key))),
    ),
  };
}

function prepareCell(
  task: string,
  trials: ComparedGroups["groups"][number]["trials"],
  { key, threshold, missing }: ComparedGroups,
): ReportCell {
  const finished = trials.filter(({ counts }) => counts);
  const values = [{ task, values: finished.map((trial) => readRewardAt(trial, key)) }];
  const [counts] = countSuccesses(values, { threshold, missing });
  const [complete] = applyMissingRule(values, missing).tasks;
  const { n = 0, c = 0 } = counts ?? {};
  return {
    n,
    c,
    level: n === 0 ? 0 : Math.round((c / n) * MOST_LEVELS),
    mean:
      complete !== undefined && complete.values.length > 0 && complete.values.every(Number.isFinite)
        ? computeMean(complete.values)
        : null,
  };
}

/** Largest first; tasks that not every group has come last. */
function compareSpreads(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareTaskMeans(b, a);
}
