import "server-only";
import { rangeOfPage, takePage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import { REMEDY_OF, TASK_PROBLEMS, type TaskProblem } from "@/lib/core/domain/task-health";
import type { DatasetParams } from "@/lib/pages/datasets/address";

import type { Dataset } from "../datasets/list";
import { type DatasetHealth, getDatasetHealth } from "./health";
import type { TaskHealth } from "./problems";

export async function getHealthPage(dataset: Pick<Dataset, "id" | "groups">, params: DatasetParams) {
  return selectHealthPage(await getDatasetHealth(`dataset ${dataset.id}`, dataset.groups), params);
}

const MOST_QUEUED = 40;

export type HealthPage = ReturnType<typeof selectHealthPage>;

export function selectHealthPage(
  { tasks, ...health }: DatasetHealth,
  { problems, page }: Pick<DatasetParams, "problems" | "page">,
) {
  const byProblem = Map.groupBy(tasks, ({ evidence: [worst] }) => worst?.problem ?? null);
  const counts = TASK_PROBLEMS.map((problem) => ({ problem, n: byProblem.get(problem)?.length ?? 0 }));
  const listed = tasks.filter(({ evidence: [worst], remedy }) =>
    problems.length === 0
      ? remedy !== null && remedy !== "nothing"
      : worst !== undefined && problems.includes(worst.problem),
  );
  const wrong = tasks.filter(({ remedy }) => remedy === "wrong");
  return {
    ...health,
    nTasks: tasks.length,
    counts: counts.filter(({ n }) => n > 0),
    /** Tasks with a problem that are not folded, or the tasks of the chosen problems. */
    list: takePage(listed, rangeOfPage(page, PAGE_ROWS)),
    folded: problems.length > 0 ? [] : foldTasks(byProblem),
    /** First tasks by name with a wrong verifier or solution. */
    wrong: wrong.slice(0, MOST_QUEUED).map(({ taskName }) => taskName),
    nWrong: wrong.length,
    nNothing: tasks.filter(({ remedy }) => remedy === "nothing").length,
    bins: countBins(tasks),
  };
}

/** Tasks of problems that do not tell agents apart. */
function foldTasks(byProblem: ReadonlyMap<TaskProblem | null, readonly TaskHealth[]>) {
  return TASK_PROBLEMS.filter((problem) => REMEDY_OF[problem] === "nothing").flatMap((problem) => {
    const all = byProblem.get(problem) ?? [];
    return all.length === 0 ? [] : [{ problem, n: all.length, tasks: all.slice(0, PAGE_ROWS) }];
  });
}

const EDGES = [null, 0, 0.2, 0.4, 0.6, 0.8, null] as const;

/** Counts tasks with a correlation of at least `from` and below `to`. Both are null for tasks without one. */
function countBins(tasks: readonly TaskHealth[]) {
  const known = tasks.flatMap(({ itemRest }) => itemRest.r ?? []);
  const bins = EDGES.slice(1).map((to, place) => {
    const from = EDGES[place] ?? null;
    const n = known.filter((r) => (from === null || r >= from) && (to === null || r < to)).length;
    return { from, to, n };
  });
  return [...bins, { from: null, to: null, n: tasks.length - known.length }];
}
