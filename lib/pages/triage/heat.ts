import "server-only";
import { compareNames, compareText } from "@/lib/core/domain/compare-text";
import { computeShareDifference, type ShareDifference } from "@/lib/core/stats";
import { listClasses, OWNERS, type FailureClass } from "@/lib/core/triage/classes";

import type { AgentModel } from "../errors/scope";
import { addClasses, type ClassCount } from "./class-counts";
import { placeTask, type TaskPlace, type TriageScope } from "./scope";
import { countTried, sumOf } from "./tried";

interface HeatCell {
  readonly failureClass: FailureClass;
  readonly n: number;
  /** Excess share over others at the same tasks; null for tasks, and for agents with fewer than two shared tasks. */
  readonly difference: ShareDifference | null;
}

export interface HeatRow {
  readonly agentModel: AgentModel | null;
  readonly taskName: string | null;
  readonly place: TaskPlace | null;
  readonly nFailures: number;
  readonly nTrials: number;
  readonly cells: readonly HeatCell[];
}

const MOST_AGENTS = 12;
const MOST_TASKS = 12;

export function makeHeatMap(scope: TriageScope) {
  const { failures, counts, nTrials, nameOfTask } = scope;
  const { byTask, byAgent } = countTried(scope.cells);
  const classes = OWNERS.flatMap((owner) => listClasses({ owner })).filter((one) => counts.has(one));
  const shown = scope.agentModels.slice(0, MOST_AGENTS);
  const nComparisons = Math.max(1, scope.agentModels.length < 2 ? 0 : shown.length * classes.length);
  const nOfTask = addClasses(counts, (count) => count.byTask);
  const nameOf = (task: string) => nameOfTask.get(task) ?? task;
  const ranked = [...nOfTask].toSorted(
    ([a, n], [b, m]) => m - n || compareNames(nameOf(a), nameOf(b)) || compareText(a, b),
  );
  const top = ranked.slice(0, MOST_TASKS).map(([task]) => task);
  const isTop = new Set(top);
  const failuresOf = Map.groupBy(
    failures.filter(({ task }) => isTop.has(task)),
    ({ task }) => task,
  );
  const makeRow = (nTried: number, countOf: (count: ClassCount) => number): HeatRow => {
    const cells = classes.map((failureClass) => {
      const count = counts.get(failureClass);
      return { failureClass, n: count === undefined ? 0 : countOf(count), difference: null };
    });
    const nFailures = sumOf(cells.map(({ n }) => n));
    return { agentModel: null, taskName: null, place: null, nFailures, nTrials: nTried, cells };
  };
  const compare = compareAgents(scope, nComparisons);
  return {
    classes,
    agents: shown.map((agentModel) => {
      const { name } = agentModel;
      const row = makeRow(byAgent.get(name) ?? 0, (count) => count.byAgent.get(name) ?? 0);
      const compared = row.cells.map((cell) => ({ ...cell, difference: compare(name, cell.failureClass) }));
      return { ...row, agentModel, cells: compared };
    }),
    nOtherAgents: scope.agentModels.length - shown.length,
    tasks: top.map((task) => ({
      ...makeRow(byTask.all.get(task) ?? 0, (count) => count.byTask.get(task) ?? 0),
      taskName: nameOf(task),
      place: placeTask(scope, failuresOf.get(task) ?? []),
    })),
    nOtherTasks: byTask.all.size + ranked.filter(([task]) => !byTask.all.has(task)).length - top.length,
    otherTasks: makeRow(
      nTrials - sumOf(top.map((task) => byTask.all.get(task) ?? 0)),
      (count) => count.n - sumOf(top.map((task) => count.byTask.get(task) ?? 0)),
    ),
    all: makeRow(nTrials, (count) => count.n),
    nComparisons,
  };
}

/** Compares an agent's share of a class with others at the same tasks. Each task has the same weight. */
function compareAgents({ cells, counts, agentModels, datasets }: TriageScope, nComparisons: number) {
  const { byTask: tried } = countTried(cells);
  return (agentModel: string, failureClass: FailureClass): HeatCell["difference"] => {
    if (agentModels.length < 2 || datasets.size > 1) return null;
    const failed = counts.get(failureClass)?.finished;
    const own = failed?.ofAgent.get(agentModel);
    const tasks = Array.from(tried.ofAgent.get(agentModel) ?? [], ([task, n]) => {
      const count = own?.get(task) ?? 0;
      const othersCount = (failed?.all.get(task) ?? 0) - count;
      return { count, n, othersCount, nOthers: (tried.all.get(task) ?? 0) - n };
    });
    const difference = computeShareDifference(tasks, nComparisons);
    return difference.kind === "computed" ? difference : null;
  };
}
