import "server-only";
import { nameDataset } from "@/lib/core/domain/dataset";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { FailureClass } from "@/lib/core/triage/classes";
import {
  type FailedTrial,
  type IndexStore,
  type ListedJob,
  readFailedTrials,
  readJobGroups,
  readListedJobs,
  readPartlyClassified,
  readRewardTallies,
  type RowPlace,
  shareText,
} from "@/lib/store/tables";

import { nameAgent } from "../errors/scope";
import { createGenerationCache, createJobCache } from "../shell/cache";
import { type JobsState, readJobsState } from "../shell/jobs-state";
import { findReference } from "../tasks/counted";
import { readOracleTasks } from "./oracle-tasks";

/** Finished trials of one agent and model at one task of a job, if their verdict is known. */
export interface Cell {
  readonly jobRowId: number;
  readonly agentModel: string;
  /** See {@link nameTask}. */
  readonly task: string;
  readonly taskName: string;
  readonly dataset: string;
  readonly nTrials: number;
  /** Sum of rewards, each from 0 to 1; a missing one counts as 0. */
  readonly reward: number;
}

export interface Failure {
  readonly jobRowId: number;
  readonly position: number;
  readonly key: string;
  /** Agent and model as one text, also used in URLs. */
  readonly agentModel: string;
  readonly task: string;
  readonly taskName: string;
  readonly dataset: string;
  readonly taskDigest: string | null;
  readonly groupKey: string;
  readonly failureClass: FailureClass;
  readonly rule: string;
  /** Key before near-duplicates are joined. */
  readonly clusterKey: string;
  /** Shortfall from a full reward, 0 to 1. */
  readonly lost: number;
  /** Only a finished trial has its reward in the mean. */
  readonly isFinished: boolean;
}

export interface ClusterMembers {
  readonly place: RowPlace;
  readonly nTrials: number;
  /** Start of the first and the last trial, ms since 1970; null if unknown. */
  readonly firstSeenMs: number | null;
  readonly lastSeenMs: number | null;
}

/** Trials of `oracle` and `nop` are only in `reference`, `groupKeys` and `clusters`. */
interface TriagePart {
  readonly jobRowId: number;
  readonly agentModels: ReadonlyMap<string, AgentOfModel>;
  readonly groupKeys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly datasets: ReadonlyMap<string, string>;
  readonly cells: readonly Cell[];
  readonly failures: readonly Failure[];
  readonly reference: readonly FailedTrial[];
  readonly clusters: ReadonlyMap<string, ClusterMembers>;
  /** True if some of its trials have no class, so that the part is left empty. */
  readonly isPartly: boolean;
}

type AgentOfModel = Pick<FailedTrial, "agent" | "model">;

const keepAll = createGenerationCache(2);

/** Cells, failures and clusters of unchanged jobs, about 0.3 kB each. Those of one generation are in memory anyway. */
const MOST_ROWS = 500_000;

const keepParts = createJobCache<TriagePart>(
  MOST_ROWS,
  ({ cells, failures, clusters }) => cells.length + failures.length + clusters.size,
);

/**
 * Reads changed jobs only, linear in their trials. A job that is being classified keeps its previous part, or stays empty: half a
 * job would give a wrong share. @throws StoreError
 */
export async function readTriageParts(state: JobsState) {
  const { store } = state;
  return keepAll(state, "parts", async () => {
    const jobs = await readListedJobs(store);
    const keys = new Map(jobs.map(({ id, key }) => [id, key]));
    const parts = await keepParts(store, state.jobs, async (ids, before) => {
      const known = new Map<number, TriagePart>();
      for (const id of ids) {
        const part = state.unclassified.has(id) ? before(id) : undefined;
        if (part !== undefined) known.set(id, part);
      }
      const others = ids.filter((id) => !known.has(id));
      const partly = others.length === 0 ? new Set() : await readPartlyClassified(store, others);
      const whole = others.filter((id) => !partly.has(id));
      for (const [id, part] of await readParts(store, whole, keys)) known.set(id, part);
      return new Map(ids.map((id) => [id, known.get(id) ?? makeEmptyPart(id)]));
    });
    return { jobs, parts };
  });
}

function makeEmptyPart(jobRowId: number): TriagePart {
  const nothing = { cells: [], failures: [], reference: [], clusters: new Map<string, ClusterMembers>() };
  return {
    ...nothing,
    ...{ jobRowId, isPartly: true },
    ...{ agentModels: new Map(), groupKeys: new Map(), datasets: new Map() },
  };
}

export type TriageBase = Awaited<ReturnType<typeof combineParts>>;

export async function readTriageBase(store: IndexStore) {
  const state = await readJobsState(store);
  return keepAll(state, "base", () => combineParts(state));
}

/** Trials of `oracle` and `nop` are only in `reference`. */
async function combineParts(state: JobsState) {
  const { store, unclassified } = state;
  const { jobs, parts } = await readTriageParts(state);
  const keys = new Map(jobs.map(({ id, key }) => [id, key]));
  const groupKeys = Map.groupBy(
    parts.flatMap((part) => [...part.groupKeys]),
    ([name]) => name,
  );
  const reference = parts.flatMap((part) => part.reference);
  const failures = parts.flatMap((part) => part.failures);
  return {
    jobs,
    unclassified,
    /** Jobs left out entirely, because some of their trials could not be classified. */
    leftOut: new Set(
      parts.flatMap(({ jobRowId, isPartly }) => (isPartly && !unclassified.has(jobRowId) ? jobRowId : [])),
    ),
    agentModels: new Map(parts.flatMap(({ agentModels }) => [...agentModels])),
    groupKeys: new Map(
      Array.from(groupKeys, ([name, own]) => [name, new Set(own.flatMap(([, some]) => [...some]))]),
    ),
    datasets: new Map(parts.flatMap(({ datasets }) => [...datasets])),
    cells: parts.flatMap(({ cells }) => cells),
    failures,
    nOfJob: sumBy(failures, ({ jobRowId }) => jobRowId),
    reference: sumBy(reference, ({ jobRowId }) => jobRowId),
    oracleTasks: await readOracleTasks(store, reference, ({ jobRowId, taskName, source }) =>
      nameTask(source, keys.get(jobRowId) ?? "", taskName),
    ),
  };
}

/** Names of tasks mean nothing outside their dataset, or outside their job without one. */
function nameTask(source: string | null, job: string, taskName: string): string {
  return shareText(JSON.stringify(source === null ? [null, job, taskName] : [source, taskName]));
}

async function readParts(
  store: IndexStore,
  ids: readonly number[],
  keys: ReadonlyMap<number, string>,
): Promise<ReadonlyMap<number, TriagePart>> {
  if (ids.length === 0) return new Map();
  const [groups, failed, ...tallies] = await Promise.all([
    readJobGroups(store, ids),
    readFailedTrials(store, ids),
    ...ids.map((id) => readRewardTallies(store, { first: id, last: id })),
  ]);
  const groupsOf = Map.groupBy(groups, ({ jobRowId }) => jobRowId);
  const failedOf = Map.groupBy(failed, ({ jobRowId }) => jobRowId);
  return new Map(
    ids.map((id, at) => {
      const own = failedOf.get(id) ?? [];
      const job = { id, key: keys.get(id) ?? "" };
      const part = makePart(job, tallies[at] ?? [], groupsOf.get(id) ?? [], own);
      return [id, { ...part, clusters: groupMembers(own), isPartly: false }];
    }),
  );
}

function makePart(
  { id: jobRowId, key }: Pick<ListedJob, "id" | "key">,
  tallies: Awaited<ReturnType<typeof readRewardTallies>>,
  groups: Awaited<ReturnType<typeof readJobGroups>>,
  failed: readonly FailedTrial[],
): Omit<TriagePart, "clusters" | "isPartly"> {
  const named = new Map(groups.map((group) => [group.key, group]));
  const agentModels = new Map<string, AgentOfModel>();
  const groupKeys = new Map<string, Set<string>>();
  const cells = new Map<string, Cell>();
  const failures: Failure[] = [];
  const reference: FailedTrial[] = [];
  const datasets = new Map<string, string>();
  const tasksOf = Map.groupBy<string, { groupKey: string; taskName: string }>(
    [...tallies, ...failed],
    ({ groupKey }) => groupKey,
  );
  const ids = new Map<string, string>();
  const findDataset = (source: string | null, groupKey: string) => {
    const place = JSON.stringify([groupKey, source]);
    const known = ids.get(place);
    if (known !== undefined) return known;
    const tasks = (tasksOf.get(groupKey) ?? []).map(({ taskName }) => taskName);
    const { id, label } = nameDataset({ source, tasks });
    ids.set(place, id);
    datasets.set(id, label);
    return id;
  };
  const placeAt = (source: string | null, taskName: string, groupKey: string) => ({
    task: nameTask(source, key, taskName),
    taskName: shareText(taskName),
    dataset: findDataset(source, groupKey),
  });
  const addGroup = (agentModel: string, groupKey: string) => {
    groupKeys.set(agentModel, (groupKeys.get(agentModel) ?? new Set()).add(groupKey));
  };
  const addCell = (one: Omit<Cell, "jobRowId" | "nTrials" | "reward">, count: number, earned: number) => {
    const name = JSON.stringify([one.agentModel, one.task, one.dataset]);
    const { nTrials, reward } = cells.get(name) ?? { nTrials: 0, reward: 0 };
    cells.set(name, { ...one, jobRowId, nTrials: nTrials + count, reward: reward + earned });
  };
  const solvers = new Map<string, { readonly agentModel: string; readonly source: string | null }>();
  for (const groupKey of new Set(tallies.map((tally) => tally.groupKey))) {
    // Trials that name another job belong to no group of this one, and a key cannot be parsed.
    const { agent, model, source } = named.get(groupKey) ?? { agent: groupKey, model: null, source: null };
    const agentModel = shareText(nameAgent({ agent, model }));
    addGroup(agentModel, groupKey);
    if (findReference(agent) !== null) continue;
    agentModels.set(agentModel, { agent, model });
    solvers.set(groupKey, { agentModel, source });
  }
  for (const { groupKey, taskName, reward, count } of tallies) {
    const solver = solvers.get(groupKey);
    if (solver === undefined || reward === null || reward < 1) continue;
    const { agentModel, source } = solver;
    addCell({ agentModel, ...placeAt(source, taskName, groupKey) }, count, count);
  }
  for (const trial of failed) {
    const { agent, model, source, groupKey, taskName, isFinished, lostReward: lost } = trial;
    const agentModel = shareText(nameAgent(trial));
    addGroup(agentModel, groupKey);
    if (findReference(agent) !== null) {
      reference.push(trial);
      continue;
    }
    const { position, key: trialKey, taskDigest, failureClass, rule, clusterKey } = trial;
    const at = { agentModel, ...placeAt(source, taskName, groupKey) };
    failures.push({
      ...at,
      ...{ jobRowId, position, key: trialKey, lost, isFinished, taskDigest },
      ...{ groupKey, failureClass, rule, clusterKey },
    });
    if (isFinished) addCell(at, 1, 1 - lost);
    if (!agentModels.has(agentModel)) agentModels.set(agentModel, { agent, model });
  }
  return { jobRowId, agentModels, groupKeys, datasets, cells: [...cells.values()], failures, reference };
}

function groupMembers(failed: readonly FailedTrial[]): ReadonlyMap<string, ClusterMembers> {
  const clusters = new Map<string, ClusterMembers>();
  for (const [key, own] of Map.groupBy(failed, ({ clusterKey }) => clusterKey)) {
    const [first] = own;
    if (first === undefined) continue;
    const times = own.map(({ startedMs }) => startedMs);
    clusters.set(key, {
      place: { jobRowId: first.jobRowId, position: first.position },
      nTrials: own.length,
      firstSeenMs: findTime(times, Math.min),
      lastSeenMs: findTime(times, Math.max),
    });
  }
  return clusters;
}

export function findTime(
  times: readonly (number | null)[],
  choose: (a: number, b: number) => number,
): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : known.reduce((a, b) => choose(a, b));
}
