import "server-only";
import { compareNames, compareText } from "@/lib/core/domain/compare-text";
import { sumBy } from "@/lib/core/domain/sum-by";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import {
  computeShareDifference,
  computeWilsonInterval,
  type RateInterval,
  type ShareDifference,
  type Unavailable,
} from "@/lib/core/stats";
import {
  CLASSES,
  type FailureClass,
  FAILURE_CLASSES,
  listClasses,
  type Owner,
  OWNERS,
} from "@/lib/core/triage/classes";
import type { HeatRows } from "@/lib/pages/triage/address";

import type { Failure } from "./parts";
import { countTasks, placeTask, type TriageScope } from "./scope";

export type HeatMap = ReturnType<typeof makeHeatMap>;

export type HeatRow = HeatMap["lines"][number];

const MOST_ROWS = 40;

const GROUPS = {
  agent: ({ agentModel }) => agentModel,
  job: ({ jobRowId }) => jobRowId,
  task: ({ task }) => task,
  family: ({ taskName }) => findTaskFamily(taskName),
} as const satisfies Record<HeatRows, (failure: Failure) => string | number>;

function countFailed(all: readonly Failure[], groupOf: (failure: Failure) => string | number) {
  return new Map(
    Array.from(Map.groupBy(all, groupOf), ([value, own]) => [
      value,
      {
        nFinished: own.filter(({ isFinished }) => isFinished).length,
        byOwner: sumBy(own, ({ failureClass }) => CLASSES[failureClass].owner),
      },
    ]),
  );
}

/** Returns the share of a task's finished trials that passed. */
export function computeTaskRate({ all, tried }: TriageScope, task: string): RateInterval | Unavailable {
  const nTrials = tried.byTask.all.get(task) ?? 0;
  const nFailed = all.filter((failure) => failure.isFinished && failure.task === task).length;
  return computeWilsonInterval(nTrials - nFailed, nTrials);
}

/** Jobs are oldest first, so that the rows read as a trend; the newest are kept. */
export function makeHeatMap(scope: TriageScope, rows: HeatRows) {
  const { failures, agentModels, nameOfTask } = scope;
  const { byAgent, byJob, byTask, byFamily } = scope.tried;
  const tried: ReadonlyMap<string | number, number> = {
    ...{ agent: byAgent, job: byJob, task: byTask.all, family: byFamily },
  }[rows];
  const counts = sumBy(failures, ({ failureClass }) => failureClass);
  const failed = countFailed(scope.all, GROUPS[rows]);
  const own = Map.groupBy<string | number, Failure>(failures, GROUPS[rows]);
  const classes = OWNERS.flatMap((owner) => listClasses({ owner })).filter((one) => counts.has(one));
  const nameOf = (task: string | number) => nameOfTask.get(String(task)) ?? String(task);
  const order = {
    agent: () => agentModels.map(({ name }) => name),
    job: () => scope.jobs.map(({ id }) => id).toReversed(),
    task: () =>
      [...own]
        .toSorted(
          ([a, x], [b, y]) =>
            y.length - x.length || compareNames(nameOf(a), nameOf(b)) || compareText(String(a), String(b)),
        )
        .map(([task]) => task),
    family: () => [...new Set([...failed.keys(), ...tried.keys()].map(String))].toSorted(compareNames),
  }
    [rows]()
    .filter((key) => tried.has(key) || failed.has(key));
  const shown = new Set(rows === "job" ? order.slice(-MOST_ROWS) : order.slice(0, MOST_ROWS));
  const nComparisons = Math.max(1, agentModels.length < 2 ? 0 : shown.size * classes.length);
  const compare = rows === "agent" ? compareAgents(scope, nComparisons) : () => null;
  const describe = (key: string | number, some: readonly Failure[]) => {
    const agentModel = rows === "agent" ? (agentModels.find(({ name }) => name === key) ?? null) : null;
    const job = rows === "job" ? scope.jobs.find(({ id }) => id === key) : undefined;
    const isOfTasks = rows === "task" || rows === "family";
    return {
      label: job?.name ?? (rows === "task" ? nameOf(key) : String(key)),
      agentModel,
      /** Null unless rows are jobs. */
      jobKey: job?.key ?? null,
      /** Tasks with failures; null unless rows are tasks or families. */
      taskNames: isOfTasks ? [...new Set(some.map(({ taskName }) => taskName))] : null,
      place: isOfTasks ? placeTask(scope, some) : null,
    };
  };
  const makeRow = (key: string | number) => {
    const some = own.get(key) ?? [];
    const byClass = sumBy(some, ({ failureClass }) => failureClass);
    const nTrials = tried.get(key) ?? 0;
    const { nFinished = 0, byOwner = new Map<Owner, number>() } = failed.get(key) ?? {};
    return {
      ...describe(key, some),
      nFailures: some.length,
      /** Finished trials; `nAll` includes unfinished ones that failed. */
      nTrials,
      nAll: nTrials - nFinished + [...byOwner.values()].reduce((sum, n) => sum + n, 0),
      passed: computeWilsonInterval(nTrials - nFinished, nTrials),
      /** Failed trials by who can fix them, including unfinished ones. Filters of failures do not change it. */
      byOwner,
      byAgent: sumBy(some, ({ agentModel }) => agentModel),
      cells: classes.map((failureClass) => ({
        failureClass,
        n: byClass.get(failureClass) ?? 0,
        /** Excess share over others at the same tasks; null except for agents with at least two shared tasks. */
        difference: compare(String(key), failureClass),
      })),
    };
  };
  const worst = order
    .map((key) => [key, own.get(key) ?? []] as const)
    .filter(([, some]) => some.length > 0)
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, 3)
    .map(([key, some]) => ({ label: describe(key, some).label, nFailures: some.length }));
  return {
    rows,
    classes,
    /** The three rows with the most failures, hidden rows included. */
    worst,
    lines: order.filter((key) => shown.has(key)).map(makeRow),
    nOthers: order.length - shown.size,
    /** Totals by class, hidden rows included. */
    sums: classes.map((failureClass) => counts.get(failureClass) ?? 0),
    clean: rows === "task" ? listClean(scope, failed) : [],
    nComparisons,
  };
}

function listClean({ cells }: TriageScope, failed: ReadonlyMap<string | number, unknown>) {
  const names = new Set(cells.flatMap(({ task, taskName }) => (failed.has(task) ? [] : taskName)));
  return [...names].toSorted(compareNames);
}

/** Compares an agent's share of a class with others at the same tasks. Each task has the same weight. */
function compareAgents({ tried, failures, agentModels, datasets }: TriageScope, nComparisons: number) {
  const finished = failures.filter(({ isFinished }) => isFinished);
  const byClass = new Map(
    Array.from(
      Map.groupBy(finished, ({ failureClass }) => failureClass),
      ([failureClass, own]) => [failureClass, countTasks(own, () => 1)],
    ),
  );
  return (agentModel: string, failureClass: FailureClass): ShareDifference | null => {
    if (agentModels.length < 2 || datasets.size > 1) return null;
    const failed = byClass.get(failureClass);
    const own = failed?.ofAgent.get(agentModel);
    const tasks = Array.from(tried.byTask.ofAgent.get(agentModel) ?? [], ([task, n]) => {
      const count = own?.get(task) ?? 0;
      const othersCount = (failed?.all.get(task) ?? 0) - count;
      return { count, n, othersCount, nOthers: (tried.byTask.all.get(task) ?? 0) - n };
    });
    const difference = computeShareDifference(tasks, nComparisons);
    return difference.kind === "computed" ? difference : null;
  };
}

export function countByOwner(classes: ReadonlyMap<FailureClass, number>): ReadonlyMap<Owner, number> {
  return sumBy(
    FAILURE_CLASSES,
    (one) => CLASSES[one].owner,
    (one) => classes.get(one) ?? 0,
  );
}
