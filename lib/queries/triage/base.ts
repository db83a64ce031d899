import "server-only";

import { sumBy } from "@/lib/domain/sum-by";
import type { IndexStore } from "@/lib/store";

import { createGenerationCache } from "../shell/cache";
import { type JobsState, readJobsState } from "../shell/jobs-state";
import { type OracleTask, readOracleTasks } from "./oracle-tasks";
import type { Cell } from "./cell-sums";
import {
  type AgentOfModel,
  type Failure,
  nameTask,
  readTriageParts,
  STATES_KEPT,
  type TriageParts,
} from "./parts";

/** What every view of the triage page is made from. Trials of `oracle` and `nop` are in none of it but `reference`. */
export interface TriageBase extends Pick<TriageParts, "jobs"> {
  /** Trials still to be classified, by job. */
  readonly unclassified: ReadonlyMap<number, number>;
  /** Jobs of which nothing is in here, since some of their trials could not be classified. */
  readonly leftOut: ReadonlySet<number>;
  /** Each agent and model once, in the order of jobs. */
  readonly agentModels: ReadonlyMap<string, AgentOfModel>;
  /** Keys of the evals groups of each agent and model. */
  readonly groupKeys: ReadonlyMap<string, ReadonlySet<string>>;
  /** Labels of datasets by id. */
  readonly datasets: ReadonlyMap<string, string>;
  readonly cells: readonly Cell[];
  readonly failures: readonly Failure[];
  /** Trials of `oracle` and `nop` that did not pass, by job. */
  readonly reference: ReadonlyMap<number, number>;
  /** Tasks that `oracle` failed, whatever agents did. */
  readonly oracleTasks: readonly OracleTask[];
}

const keep = createGenerationCache(1, STATES_KEPT);

/** Puts the jobs of the index together, see {@link readTriageParts}. @param state - of the jobs; as they are now where it is absent */
export async function readTriageBase(store: IndexStore, state?: JobsState): Promise<TriageBase> {
  const shown = state ?? (await readJobsState(store));
  return keep(shown, "triage", () => combineParts(shown));
}

async function combineParts(state: JobsState): Promise<TriageBase> {
  const { store, unclassified } = state;
  const { jobs, parts } = await readTriageParts(state);
  const keys = new Map(jobs.map(({ id, key }) => [id, key]));
  const groupKeys = new Map<string, Set<string>>();
  for (const part of parts)
    for (const [name, own] of part.groupKeys) {
      const all = groupKeys.get(name) ?? new Set();
      for (const key of own) all.add(key);
      groupKeys.set(name, all);
    }
  const reference = parts.flatMap((part) => part.reference);
  const oracleTasks = await readOracleTasks(store, reference, ({ jobRowId, taskName, source }) =>
    nameTask(source, keys.get(jobRowId) ?? "", taskName),
  );
  return {
    jobs,
    unclassified,
    leftOut: new Set(
      parts.flatMap(({ jobRowId, isPartly }) => (isPartly && !unclassified.has(jobRowId) ? jobRowId : [])),
    ),
    agentModels: new Map(parts.flatMap(({ agentModels }) => [...agentModels])),
    groupKeys,
    datasets: new Map(parts.flatMap(({ datasets }) => [...datasets])),
    cells: parts.flatMap(({ cells }) => cells),
    failures: parts.flatMap(({ failures }) => failures),
    reference: sumBy(reference, ({ jobRowId }) => jobRowId),
    oracleTasks,
  };
}
