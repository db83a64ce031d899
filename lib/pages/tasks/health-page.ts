import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { rangeOfPage, takePage, PAGE_ROWS } from "@/lib/core/domain/list-page";
import { REMEDY_OF, TASK_PROBLEMS, type TaskProblem } from "@/lib/core/domain/task-health";
import { type DatasetParams, PASSED } from "@/lib/pages/datasets/address";

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
  {
    problems,
    page,
    sort = null,
    descending = null,
  }: Pick<DatasetParams, "problems" | "page"> & Partial<Pick<DatasetParams, "sort" | "descending">>,
) {
  const isByRate = sort === PASSED;
  const byProblem = Map.groupBy(tasks, ({ evidence: [worst] }) => worst?.problem ?? null);
  const counts = TASK_PROBLEMS.map((problem) => ({ problem, n: byProblem.get(problem)?.length ?? 0 }));
  const toLookAt = tasks.filter(({ remedy }) => remedy !== null && remedy !== "nothing");
  const all = isByRate ? tasks : toLookAt;
  const isChosen = ({ evidence: [worst] }: TaskHealth) =>
    worst !== undefined && problems.includes(worst.problem);
  const listed = problems.length === 0 ? all : tasks.filter(isChosen);
  const wrong = tasks.filter(({ remedy }) => remedy === "wrong");
  return {
    ...health,
    nTasks: tasks.length,
    counts: counts.filter(({ n }) => n > 0),
    nToLookAt: toLookAt.length,
    /** Tasks with a problem that are not folded, or the tasks of the chosen problems; all tasks by pass rate. */
    list: takePage(
      isByRate ? orderByRate(listed, descending === true) : listed,
      rangeOfPage(page, PAGE_ROWS),
    ),
    folded: isByRate || problems.length > 0 ? [] : foldTasks(byProblem),
    /** First tasks by name with a wrong verifier or solution. */
    wrong: wrong.slice(0, MOST_QUEUED).map(({ taskName }) => taskName),
    nWrong: wrong.length,
    nNothing: tasks.filter(({ remedy }) => remedy === "nothing").length,
    bins: countBins(tasks),
  };
}

/** Hardest first, and of equal rates the one with most attempts; tasks without an attempt come last. */
function orderByRate(tasks: readonly TaskHealth[], isReversed: boolean): readonly TaskHealth[] {
  const sign = isReversed ? -1 : 1;
  return tasks.toSorted((a, b) => {
    if (a.rate.kind === "unavailable" || b.rate.kind === "unavailable")
      return Number(a.rate.kind === "unavailable") - Number(b.rate.kind === "unavailable");
    const byRate = sign * (a.rate.rate - b.rate.rate) || b.rate.n - a.rate.n;
    return byRate || compareNames(a.taskName, b.taskName);
  });
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
