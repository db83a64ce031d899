import "server-only";
import { sumBy } from "@/lib/core/domain/sum-by";
import { findTaskFamily } from "@/lib/core/domain/task-family";
import type { TriageFilter } from "@/lib/pages/triage/address";
import { namePlace, type RowPlace } from "@/lib/store/tables";

import type { IdentityOf } from "../shell/catalog";
import type { Cell, Failure, TriageBase } from "./parts";

export type TriageScope = ReturnType<typeof selectTriageScope>;

interface FailureTests {
  /** Failures whose evidence contains the text; null without a text filter. */
  readonly found: readonly RowPlace[] | null;
  readonly isReviewed: (failure: Pick<Failure, "jobRowId" | "key">) => boolean;
}

/** Filters of jobs, agents and tasks decide what is counted; the others decide which failures are shown. */
export function selectTriageScope(
  base: TriageBase,
  filter: TriageFilter,
  { found, isReviewed }: FailureTests,
  identityOf: IdentityOf,
) {
  const { datasets } = filter;
  const chosen = base.jobs.filter(({ key }) => filter.jobs.length === 0 || filter.jobs.includes(key));
  const tried = new Set(
    [base.cells, base.failures].flatMap((all: readonly (Cell | Failure)[]) =>
      all.flatMap(({ dataset, jobRowId }) => (datasets.includes(dataset) ? jobRowId : [])),
    ),
  );
  const jobs = datasets.length === 0 ? chosen : chosen.filter(({ id }) => tried.has(id));
  const ids = new Set(jobs.map(({ id }) => id));
  const holds = ({ jobRowId, agentModel, taskName, dataset }: Cell | Failure) =>
    ids.has(jobRowId) &&
    (datasets.length === 0 || datasets.includes(dataset)) &&
    (filter.agents.length === 0 || filter.agents.includes(agentModel)) &&
    (filter.tasks.length === 0 || filter.tasks.includes(taskName));
  const cells = base.cells.filter(holds);
  const all = base.failures.filter(holds);
  const places = found === null ? null : new Set(found.map(namePlace));
  const failures = all.filter(
    (failure) =>
      (filter.classes.length === 0 || filter.classes.includes(failure.failureClass)) &&
      (places === null || places.has(namePlace(failure))) &&
      (filter.reviewed.length !== 1 || isReviewed(failure) === filter.reviewed.includes("yes")),
  );
  const counted = countTried(cells);
  const nFailures = sumBy(failures, ({ agentModel }) => agentModel);
  const nOfAgent = sumBy(all, ({ agentModel }) => agentModel);
  return {
    jobs,
    nOtherJobs: base.jobs.length - jobs.length,
    /** Finished trials of agents, the denominator of every share. */
    nTrials: cells.reduce((sum, { nTrials }) => sum + nTrials, 0),
    nTasks: new Set([...counted.byTask.all.keys(), ...all.map(({ task }) => task)]).size,
    ...nameTasks(all),
    classes: sumBy(all, ({ failureClass }) => failureClass),
    nOfAgent,
    cells,
    tried: counted,
    /** Ids of tried datasets. Unless there is exactly one, only counts can be shown. */
    datasets: new Set([...cells, ...all].map(({ dataset }) => dataset)),
    /** Failures of the chosen jobs, agents and tasks. `failures` also match the other filters. */
    all,
    failures,
    agentModels: [...base.agentModels]
      .filter(([name]) => counted.byAgent.has(name) || nFailures.has(name))
      .map(([name, { agent, model }]) => ({
        name,
        agent,
        model,
        identity: identityOf(agent, model),
        nTrials: counted.byAgent.get(name) ?? 0,
      }))
      // Filters of failures keep the order, so that an agent has one place on all tabs.
      .toSorted((a, b) => (nOfAgent.get(b.name) ?? 0) - (nOfAgent.get(a.name) ?? 0)),
    groupKeys: datasets.length === 0 ? base.groupKeys : listGroupKeys(all),
    nUnclassified: sumOfJobs(base.unclassified, ids),
    nLeftOut: jobs.filter(({ id }) => base.leftOut.has(id)).length,
    /** Failed trials of `oracle` and `nop` in the chosen jobs, which nothing else here includes. */
    nReference: sumOfJobs(base.reference, ids),
  };
}

function listGroupKeys(failures: readonly Failure[]): TriageBase["groupKeys"] {
  const byAgent = Map.groupBy(failures, ({ agentModel }) => agentModel);
  return new Map([...byAgent].map(([name, own]) => [name, new Set(own.map(({ groupKey }) => groupKey))]));
}

function countTried(cells: readonly Cell[]) {
  const countBy = <Key>(keyOf: (cell: Cell) => Key) => sumBy(cells, keyOf, ({ nTrials }) => nTrials);
  return {
    byTask: countTasks(cells, ({ nTrials }) => nTrials),
    byAgent: countBy(({ agentModel }) => agentModel),
    byJob: countBy(({ jobRowId }) => jobRowId),
    byFamily: sumBy(
      countBy(({ taskName }) => taskName),
      ([name]) => findTaskFamily(name),
      ([, n]) => n,
    ),
  };
}

/** Counts trials by task, of all agents and of each. */
export function countTasks<One extends Cell | Failure>(some: readonly One[], countOf: (one: One) => number) {
  const byAgent = Map.groupBy(some, ({ agentModel }) => agentModel);
  return {
    all: sumBy(some, ({ task }) => task, countOf),
    ofAgent: new Map(Array.from(byAgent, ([name, own]) => [name, sumBy(own, ({ task }) => task, countOf)])),
  };
}

/** Names tasks, and lists those of each name: several datasets and jobs may share it. */
function nameTasks(failures: readonly Failure[]) {
  const nameOfTask = new Map(failures.map(({ task, taskName }) => [task, taskName]));
  return { nameOfTask, tasksOfName: Map.groupBy(nameOfTask.keys(), (task) => nameOfTask.get(task)) };
}

export function sumOfJobs(counts: ReadonlyMap<number, number>, ids: ReadonlySet<number>): number {
  return [...counts].reduce((sum, [id, n]) => sum + (ids.has(id) ? n : 0), 0);
}

export interface TaskPlace {
  readonly jobs: readonly string[];
  readonly groups: readonly string[];
}

/** For lists that identify a task by its name. Null if no other task of the scope has that name. */
export function placeTask(
  { jobs, tasksOfName }: Pick<TriageScope, "jobs" | "tasksOfName">,
  failures: readonly Failure[],
): TaskPlace | null {
  const own = new Set(failures.map(({ task }) => task));
  const names = new Set(failures.map(({ taskName }) => taskName));
  const namesakes = [...names].flatMap((name) => tasksOfName.get(name) ?? []);
  if (namesakes.every((task) => own.has(task))) return null;
  const ids = new Set(failures.map(({ jobRowId }) => jobRowId));
  return {
    jobs: jobs.flatMap(({ id, key }) => (ids.has(id) ? key : [])),
    groups: [...new Set(failures.map(({ groupKey }) => groupKey))],
  };
}
