import "server-only";

import type { DatasetParams } from "@/lib/addresses/datasets";
import { type ListPage, rangeOfPage, takePage } from "@/lib/domain/list-page";
import { countAddressBytes, takeFitting } from "@/lib/domain/page-bytes";
import { REMEDY_OF, TASK_PROBLEMS, type TaskProblem } from "@/lib/domain/task-health";

import type { Dataset } from "../datasets/list";
import { type DatasetHealth, getDatasetHealth } from "./health";
import type { TaskHealth } from "./problems";

const PAGE_SIZE = 60;
/** Folded tasks of one problem, and bytes of their names. */
const MOST_FOLDED = 100;
const MAX_FOLDED_BYTES = 60_000;
const LINK_BYTES = 120;

/** Tasks of a problem that tell no two agents apart. */
export interface FoldedTasks {
  readonly problem: TaskProblem;
  readonly n: number;
  /** The first of them. */
  readonly tasks: readonly Pick<TaskHealth, "taskName" | "rate">[];
}

/** How many tasks have an item-rest correlation in a range, from `from` on and below `to`; null where there is none. */
export interface ItemRestBin {
  readonly from: number | null;
  readonly to: number | null;
  readonly n: number;
}

export interface HealthPage extends Omit<DatasetHealth, "tasks"> {
  readonly nTasks: number;
  /** Tasks whose worst problem it is, in the order of the problems; without those that no task has. */
  readonly counts: readonly { readonly problem: TaskProblem; readonly n: number }[];
  /** Tasks to look at: all with a problem but those that are folded, or those of the chosen problems. */
  readonly list: ListPage<TaskHealth>;
  /** Tasks that tell nothing; none while problems are chosen. */
  readonly folded: readonly FoldedTasks[];
  /** Tasks whose verifier or solution is wrong, by name: the first of them. */
  readonly wrong: readonly string[];
  readonly nWrong: number;
  readonly nNothing: number;
  readonly bins: readonly ItemRestBin[];
}

/** The health of a dataset's tasks as its tab shows it. */
export async function getHealthPage(
  dataset: Pick<Dataset, "id" | "groups">,
  params: DatasetParams,
): Promise<HealthPage> {
  return selectHealthPage(await getDatasetHealth(`dataset ${dataset.id}`, dataset.groups), params);
}

/** Tasks that one queue names. */
const MOST_QUEUED = 40;

/** {@link getHealthPage} of a given health. */
export function selectHealthPage(
  { tasks, ...health }: DatasetHealth,
  { problems, page }: Pick<DatasetParams, "problems" | "page">,
): HealthPage {
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
    list: takePage(listed, rangeOfPage(page, PAGE_SIZE)),
    folded: problems.length > 0 ? [] : foldTasks(byProblem),
    wrong: wrong.slice(0, MOST_QUEUED).map(({ taskName }) => taskName),
    nWrong: wrong.length,
    nNothing: tasks.filter(({ remedy }) => remedy === "nothing").length,
    bins: countBins(tasks),
  };
}

function foldTasks(byProblem: ReadonlyMap<TaskProblem | null, readonly TaskHealth[]>) {
  return TASK_PROBLEMS.filter((problem) => REMEDY_OF[problem] === "nothing").flatMap(
    (problem): FoldedTasks[] => {
      const all = byProblem.get(problem) ?? [];
      const shown = takeFitting(
        all.slice(0, MOST_FOLDED),
        MAX_FOLDED_BYTES,
        ({ taskName }) => LINK_BYTES + 2 * countAddressBytes(taskName),
      );
      return all.length === 0 ? [] : [{ problem, n: all.length, tasks: shown }];
    },
  );
}

const EDGES = [null, 0, 0.2, 0.4, 0.6, 0.8, null] as const;

function countBins(tasks: readonly TaskHealth[]): readonly ItemRestBin[] {
  const known = tasks.flatMap(({ itemRest }) => itemRest.r ?? []);
  const bins = EDGES.slice(1).map((to, place) => {
    const from = EDGES[place] ?? null;
    const n = known.filter((r) => (from === null || r >= from) && (to === null || r < to)).length;
    return { from, to, n };
  });
  return [...bins, { from: null, to: null, n: tasks.length - known.length }];
}
