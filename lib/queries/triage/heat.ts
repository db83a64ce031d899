import "server-only";

import { compareNames } from "@/lib/domain/compare-text";
import { sumBy } from "@/lib/domain/sum-by";
import { computeShareDifference, type ShareDifference } from "@/lib/stats";
import type { FailureClass } from "@/lib/triage/classes";
import { OWNER_CLASSES, OWNERS } from "@/lib/triage/owners";

import type { AgentModel } from "../errors/scope";
import type { Failure } from "./parts";
import { placeTask, type TaskPlace, type TriageScope } from "./scope";
import { countTried, sumOf, TaskCounts } from "./tried";

/** Trials of one agent or task with a class. */
export interface HeatCell {
  readonly failureClass: FailureClass;
  readonly n: number;
  /**
   * How much more often than others at the same tasks, over tasks; null for tasks, for agents that share fewer than two tasks
   * with others, and where nothing can be said.
   */
  readonly difference: ShareDifference | null;
}

/** One agent or task, or all of them. */
export interface HeatRow {
  readonly agentModel: AgentModel | null;
  /** Name of a task; null for agents and sums. */
  readonly taskName: string | null;
  /** Where the failures of a task are; see {@link placeTask}. */
  readonly place: TaskPlace | null;
  readonly nFailures: number;
  /** Finished trials. */
  readonly nTrials: number;
  readonly cells: readonly HeatCell[];
}

/** Classes by agent and by task. */
export interface HeatMap {
  /** Classes that occur, by owner. */
  readonly classes: readonly FailureClass[];
  /** Those with most failures, at most {@link MOST_AGENTS}. */
  readonly agents: readonly HeatRow[];
  readonly nOtherAgents: number;
  /** Tasks with most failures, at most {@link MOST_TASKS}. */
  readonly tasks: readonly HeatRow[];
  readonly nOtherTasks: number;
  readonly otherTasks: HeatRow;
  readonly all: HeatRow;
  /** Differences that are looked at together. */
  readonly nComparisons: number;
}

const MOST_AGENTS = 12;
const MOST_TASKS = 12;

/** The failures of a scope by class, agent and task. */
export function makeHeatMap(scope: TriageScope): HeatMap {
  const { failures, nTrials } = scope;
  const { byTask, byAgent } = countTried(scope.cells);
  const found = new Set(failures.map(({ failureClass }) => failureClass));
  const classes = OWNERS.flatMap((owner) => OWNER_CLASSES[owner]).filter((one) => found.has(one));
  const shown = scope.agentModels.slice(0, MOST_AGENTS);
  const nComparisons = Math.max(1, scope.agentModels.length < 2 ? 0 : shown.length * classes.length);
  const failuresOf = Map.groupBy(failures, ({ task }) => task);
  const names = new Map([...failuresOf].map(([task, [first]]) => [task, first?.taskName ?? task]));
  const ranked = [...failuresOf].toSorted(
    ([a, { length: n }], [b, { length: m }]) => m - n || compareNames(names.get(a) ?? a, names.get(b) ?? b),
  );
  const top = new Set(ranked.slice(0, MOST_TASKS).map(([task]) => task));
  const failuresBy = Map.groupBy(failures, ({ agentModel }) => agentModel);
  const countRow = (
    some: readonly Failure[],
    nTried: number,
  ): Omit<HeatRow, "agentModel" | "taskName" | "place"> => {
    const counts = sumBy(some, ({ failureClass }) => failureClass);
    return {
      nFailures: some.length,
      nTrials: nTried,
      cells: classes.map((failureClass) => ({
        failureClass,
        n: counts.get(failureClass) ?? 0,
        difference: null,
      })),
    };
  };
  const compare = compareAgents(scope, nComparisons);
  return {
    classes,
    agents: shown.map((agentModel) => {
      const row = countRow(failuresBy.get(agentModel.name) ?? [], byAgent.get(agentModel.name) ?? 0);
      const compared = row.cells.map((cell) => ({
        ...cell,
        difference: compare(agentModel.name, cell.failureClass),
      }));
      return { ...row, agentModel, taskName: null, place: null, cells: compared };
    }),
    nOtherAgents: scope.agentModels.length - shown.length,
    tasks: [...top].map((task) => ({
      ...countRow(failuresOf.get(task) ?? [], byTask.all.get(task) ?? 0),
      agentModel: null,
      taskName: names.get(task) ?? task,
      place: placeTask(scope, failuresOf.get(task) ?? []),
    })),
    nOtherTasks: byTask.all.size + ranked.filter(([task]) => !byTask.all.has(task)).length - top.size,
    otherTasks: {
      ...countRow(
        failures.filter(({ task }) => !top.has(task)),
        nTrials - sumOf([...top].map((task) => byTask.all.get(task) ?? 0)),
      ),
      agentModel: null,
      taskName: null,
      place: null,
    },
    all: { ...countRow(failures, nTrials), agentModel: null, taskName: null, place: null },
    nComparisons,
  };
}

/** How an agent's share of a class differs from the others' at the same tasks, each task weighing the same. */
function compareAgents({ cells, failures, agentModels }: TriageScope, nComparisons: number) {
  const { byTask: tried } = countTried(cells);
  const failed = new Map<FailureClass, TaskCounts>();
  for (const failure of failures) {
    if (!failure.isFinished) continue;
    const counts = failed.get(failure.failureClass) ?? new TaskCounts();
    failed.set(failure.failureClass, counts);
    counts.add(failure, 1);
  }
  return (agentModel: string, failureClass: FailureClass): HeatCell["difference"] => {
    if (agentModels.length < 2) return null;
    const counts = failed.get(failureClass);
    const own = counts?.ofAgent.get(agentModel);
    const tasks = Array.from(tried.ofAgent.get(agentModel) ?? [], ([task, n]) => {
      const count = own?.get(task) ?? 0;
      const othersCount = (counts?.all.get(task) ?? 0) - count;
      return { count, n, othersCount, nOthers: (tried.all.get(task) ?? 0) - n };
    });
    const difference = computeShareDifference(tasks, nComparisons);
    return difference.kind === "computed" ? difference : null;
  };
}
