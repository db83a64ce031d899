import "server-only";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { IndexStore } from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";
import { type JobsState, readJobsState } from "../shell/jobs-state";
import type { Cell } from "./cell-sums";
import { type OracleTask, readOracleTasks } from "./oracle-tasks";
import {
  type AgentOfModel,
  type Failure,
  nameTask,
  readTriageParts,
  STATES_KEPT,
  type TriageParts,
} from "./parts";

/** Trials of `oracle` and `nop` are only in `reference`. */
export interface TriageBase extends Pick<TriageParts, "jobs"> {
  readonly unclassified: ReadonlyMap<number, number>;
  /** Jobs left out entirely, because some of their trials could not be classified. */
  readonly leftOut: ReadonlySet<number>;
  readonly agentModels: ReadonlyMap<string, AgentOfModel>;
  readonly groupKeys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly datasets: ReadonlyMap<string, string>;
  readonly cells: readonly Cell[];
  readonly failures: readonly Failure[];
  readonly reference: ReadonlyMap<number, number>;
  readonly oracleTasks: readonly OracleTask[];
}

const keep = createGenerationCache(1, STATES_KEPT);

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
