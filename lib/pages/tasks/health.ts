import "server-only";
import { compareNames } from "@/lib/core/domain/compare-text";
import { PAGE_ROWS, rangeOfPage, takePage } from "@/lib/core/domain/list-page";
import { REMEDY_OF, TASK_PROBLEMS, type TaskProblem } from "@/lib/core/domain/task-health";
import { computeHighFence, computeItemRest, computeShare, type ItemRest } from "@/lib/core/stats";
import { type DatasetParams, PASSED } from "@/lib/pages/datasets/address";
import {
  namePlace,
  type DatasetScope,
  type DatasetTrial,
  type IndexStore,
  readDatasetTrials,
  readDoubts,
  readJobsWithoutDerivedDetails,
} from "@/lib/store/tables";

import type { Dataset } from "../datasets/list";
import { getCached } from "../shell/catalog";
import { findReference, findVersion, isOfVersion } from "./counted";
import { findProblems, findTaskCost, LEAST_RUNS, type TaskHealth } from "./problems";

const MAX_TRIALS = 200_000;

export type DatasetHealth = Awaited<ReturnType<typeof readDatasetHealth>>;

export async function getDatasetHealth(name: string, groups: DatasetScope["groups"]) {
  return getCached(`task-health ${name}`, (store) => readDatasetHealth(store, groups));
}

export async function readDatasetHealth(store: IndexStore, groups: DatasetScope["groups"]) {
  const scope: DatasetScope = { groups, tasks: null };
  const [read, doubts, unread] = await Promise.all([
    readDatasetTrials(store, scope, MAX_TRIALS),
    readDoubts(store, scope, MAX_TRIALS),
    readJobsWithoutDerivedDetails(store),
  ]);
  const byTask = Map.groupBy(read.trials, ({ taskName }) => taskName);
  const taskOf = new Map(read.trials.map((trial) => [namePlace(trial), trial.taskName]));
  const doubtsOf = Map.groupBy(doubts, (doubt) => taskOf.get(namePlace(doubt)) ?? null);
  const versions = new Map(Array.from(byTask, ([task, trials]) => [task, findVersion(trials)]));
  const { itemRests, nRuns } = correlate(read.trials, [...byTask.keys()], versions);
  const facts = Array.from(byTask, ([taskName, trials], place) => ({
    taskName,
    trials,
    version: versions.get(taskName) ?? null,
    doubts: doubtsOf.get(taskName) ?? [],
    itemRest: itemRests[place] ?? NO_RUNS,
  }));
  const costs = computeHighFence(facts.flatMap((one) => findTaskCost(one) ?? []));
  const tasks = facts.map((one) => findProblems(one, costs)).toSorted(compareHealth);
  const jobs = new Set(groups.map(({ jobRowId }) => jobRowId));
  return {
    tasks,
    /** Tasks without an ended attempt of an agent other than `oracle` and `nop`. */
    nUntried: tasks.filter(({ rate }) => rate.kind === "unavailable").length,
    /** A run is one group of one job. */
    nRuns,
    leastRuns: LEAST_RUNS,
    /** Tasks with a verdict for `oracle`, with one for `nop`, and with two trials of equal output. */
    nOracle: tasks.filter(({ hasOracle }) => hasOracle).length,
    nNop: tasks.filter(({ hasNop }) => hasNop).length,
    nShared: tasks.filter(({ hasSharedOutput }) => hasSharedOutput).length,
    /** Median cost of a task in US dollars; null if fewer than eight tasks report one. */
    medianCostUsd: costs?.median ?? null,
    /** Jobs with unread verifier files. Crashes and equal outputs may be missing. */
    nUnread: [...unread.keys()].filter((id) => jobs.has(id)).length,
    isCut: read.isCut,
  };
}

const NO_RUNS: ItemRest = {
  method: "pearson",
  n: 0,
  nLeftOut: 0,
  r: null,
  low: null,
  high: null,
  reason: "few-runs",
};

/** Correlates each task with the others, without references. A run's value is its share of counted attempts that passed. */
function correlate(
  trials: readonly DatasetTrial[],
  tasks: readonly string[],
  versions: ReadonlyMap<string, string | null>,
) {
  const placeOf = new Map(tasks.map((task, place) => [task, place]));
  const counted = trials.filter(
    (trial) =>
      findReference(trial.agent) === null &&
      trial.counts &&
      isOfVersion(trial, versions.get(trial.taskName) ?? null),
  );
  const byRun = Map.groupBy(counted, ({ jobRowId, groupKey }) => `${jobRowId} ${groupKey}`);
  const runs = Array.from(byRun.values(), (own) => {
    const shares = new Array<number | null>(tasks.length).fill(null);
    for (const [task, attempts] of Map.groupBy(own, ({ taskName }) => taskName)) {
      const passed = attempts.filter(({ outcome }) => outcome === "passed").length;
      shares[placeOf.get(task) ?? 0] = computeShare(passed, attempts.length);
    }
    return shares;
  });
  return { itemRests: computeItemRest(runs), nRuns: runs.length };
}

function compareHealth(a: TaskHealth, b: TaskHealth): number {
  return (
    rankOf(a.evidence[0]?.problem) - rankOf(b.evidence[0]?.problem) ||
    severityOf(a) - severityOf(b) ||
    compareNames(a.taskName, b.taskName)
  );
}

function rankOf(problem: TaskProblem | undefined): number {
  return problem === undefined ? TASK_PROBLEMS.length : TASK_PROBLEMS.indexOf(problem);
}

/** Within a problem, the clearest case comes first. */
function severityOf({ evidence: [worst] }: TaskHealth): number {
  if (worst === undefined) return 0;
  if (worst.problem === "costly") return -(worst.value ?? 0);
  if (worst.problem === "low-item-rest" || worst.problem === "flaky") return worst.value ?? 0;
  return -worst.n;
}

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
