import "server-only";

import { findReference } from "../tasks/counted";
import { nameAgent } from "../errors/scope";
import { type OracleTask, readOracleTasks } from "./oracle-tasks";
import type { FailureClass } from "@/lib/triage/classes";
import {
  type GroupTotals,
  type IndexStore,
  type ListedJob,
  readFailedTrials,
  readGroupTotals,
  readListedJobs,
  readRewardTallies,
  readUnclassifiedJobs,
} from "@/lib/store";

/** An agent with its model in one job, and the dataset whose tasks it ran. */
interface TriageGroup {
  /** Agent and model as one text, which also names it in the address. */
  readonly agentModel: string;
  readonly agent: string;
  readonly model: string | null;
  readonly source: string | null;
}

/** Finished trials of one agent and model at one task of a job, of which it is known whether they passed. */
export interface Cell {
  readonly jobRowId: number;
  readonly agentModel: string;
  /** See {@link nameTask}. */
  readonly task: string;
  readonly taskName: string;
  readonly nTrials: number;
  /** Their rewards together, each between 0 and 1, a missing one as 0. */
  readonly reward: number;
}

/** A trial that did not pass. */
export interface Failure {
  readonly jobRowId: number;
  readonly position: number;
  readonly key: string;
  readonly agentModel: string;
  readonly task: string;
  readonly taskName: string;
  /** Of the task's files; null where its result states none. */
  readonly taskDigest: string | null;
  readonly groupKey: string;
  readonly failureClass: FailureClass;
  /** Id of the rule; empty where none fitted. */
  readonly rule: string;
  /** Of its cluster by itself, before near-duplicates are joined. */
  readonly clusterKey: string;
  /** What is missing of a full reward, 0 to 1. */
  readonly lost: number;
  /** Whether it ended, so that its reward is in the mean. */
  readonly isFinished: boolean;
}

/** What every view of the triage page is made from. Trials of `oracle` and `nop` are in none of it but `reference`. */
export interface TriageBase {
  /** Newest first. */
  readonly jobs: readonly ListedJob[];
  /** Each agent and model once, in the order of jobs. */
  readonly agentModels: ReadonlyMap<string, Pick<TriageGroup, "agent" | "model">>;
  /** Keys of the evals groups of each agent and model. */
  readonly groupKeys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly cells: readonly Cell[];
  readonly failures: readonly Failure[];
  /** Trials still to be classified, by job. */
  readonly unclassified: ReadonlyMap<number, number>;
  /** Trials of `oracle` and `nop` that did not pass, by job. */
  readonly reference: ReadonlyMap<number, number>;
  /** Tasks that `oracle` failed, whatever agents did. */
  readonly oracleTasks: readonly OracleTask[];
}

/** A task is its name in a dataset, else in its job: names of tasks mean nothing beyond that. */
function nameTask({ source }: Pick<TriageGroup, "source">, job: string, taskName: string): string {
  return JSON.stringify(source === null ? [null, job, taskName] : [source, taskName]);
}

function listGroupKeys(
  rows: readonly Pick<GroupTotals, "agent" | "model" | "groupKey">[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>();
  for (const row of rows) {
    const name = nameAgent(row);
    const own = keys.get(name) ?? new Set();
    keys.set(name, own.add(row.groupKey));
  }
  return keys;
}

/** Trials and rewards added up by job, agent and task. */
class CellSums {
  private readonly cells = new Map<string, { -readonly [K in keyof Cell]: Cell[K] }>();

  add(one: Omit<Cell, "nTrials" | "reward">, nTrials: number, reward: number): void {
    const { jobRowId, agentModel, task, taskName } = one;
    const name = `${jobRowId} ${agentModel} ${task}`;
    const cell = this.cells.get(name) ?? { jobRowId, agentModel, task, taskName, nTrials: 0, reward: 0 };
    cell.nTrials += nTrials;
    cell.reward += reward;
    this.cells.set(name, cell);
  }

  list(): readonly Cell[] {
    return [...this.cells.values()];
  }
}

/** The groups of agents that solve tasks, by job and key. */
function listSolvers(totals: readonly GroupTotals[]): ReadonlyMap<string, TriageGroup> {
  const groups = new Map<string, TriageGroup>();
  for (const { jobRowId, groupKey, agent, model, source } of totals) {
    if (findReference(agent) !== null) continue;
    groups.set(`${jobRowId} ${groupKey}`, { agentModel: nameAgent({ agent, model }), agent, model, source });
  }
  return groups;
}

/** Reads the whole index: linear in its trials, once for each generation. */
export async function readTriageBase(store: IndexStore): Promise<TriageBase> {
  const [jobs, totals, tallies, failed, unclassified] = await Promise.all([
    readListedJobs(store),
    readGroupTotals(store),
    readRewardTallies(store, { first: 0, last: Number.MAX_SAFE_INTEGER }),
    readFailedTrials(store),
    readUnclassifiedJobs(store),
  ]);
  const keys = new Map(jobs.map(({ id, key }) => [id, key]));
  const groups = listSolvers(totals);
  const agentModels = new Map<string, Pick<TriageGroup, "agent" | "model">>();
  for (const group of groups.values()) agentModels.set(group.agentModel, group);
  const cells = new CellSums();
  for (const { jobRowId, groupKey, taskName, reward, count: n } of tallies) {
    const group = groups.get(`${jobRowId} ${groupKey}`);
    if (group === undefined || unclassified.has(jobRowId) || reward === null || reward < 1) continue;
    const task = nameTask(group, keys.get(jobRowId) ?? "", taskName);
    cells.add({ jobRowId, agentModel: group.agentModel, task, taskName }, n, n);
  }
  const failures: Failure[] = [];
  const reference = new Map<number, number>();
  for (const { agent, model, source, lostReward: lost, ...trial } of failed) {
    if (findReference(agent) !== null) {
      reference.set(trial.jobRowId, (reference.get(trial.jobRowId) ?? 0) + 1);
      continue;
    }
    const { jobRowId, position, key, taskName, taskDigest, groupKey, isFinished } = trial;
    const { failureClass, rule, clusterKey } = trial;
    const agentModel = nameAgent({ agent, model });
    const task = nameTask({ source }, keys.get(jobRowId) ?? "", taskName);
    const at = { jobRowId, agentModel, task, taskName };
    failures.push({
      ...at,
      position,
      key,
      taskDigest,
      groupKey,
      failureClass,
      rule,
      clusterKey,
      lost,
      isFinished,
    });
    if (isFinished) cells.add(at, 1, 1 - lost);
    if (!agentModels.has(agentModel)) agentModels.set(agentModel, { agent, model });
  }
  const groupKeys = listGroupKeys([...totals, ...failed]);
  const oracleTasks = await readOracleTasks(store, failed, ({ jobRowId, taskName, source }) =>
    nameTask({ source }, keys.get(jobRowId) ?? "", taskName),
  );
  return {
    jobs,
    agentModels,
    groupKeys,
    cells: cells.list(),
    failures,
    unclassified,
    reference,
    oracleTasks,
  };
}
