import "server-only";

import { sumBy } from "@/lib/domain/sum-by";
import type { IndexStore } from "@/lib/store";

import { type OracleTask, readOracleTasks } from "./oracle-tasks";
import {
  type AgentOfModel,
  type Cell,
  type Failure,
  nameTask,
  readTriageParts,
  type TriageParts,
} from "./parts";

/** What every view of the triage page is made from. Trials of `oracle` and `nop` are in none of it but `reference`. */
export interface TriageBase extends Pick<TriageParts, "jobs" | "unclassified"> {
  /** Each agent and model once, in the order of jobs. */
  readonly agentModels: ReadonlyMap<string, AgentOfModel>;
  /** Keys of the evals groups of each agent and model. */
  readonly groupKeys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly cells: readonly Cell[];
  readonly failures: readonly Failure[];
  /** Trials of `oracle` and `nop` that did not pass, by job. */
  readonly reference: ReadonlyMap<number, number>;
  /** Tasks that `oracle` failed, whatever agents did. */
  readonly oracleTasks: readonly OracleTask[];
}

/** Puts the jobs of the index together, see {@link readTriageParts}. */
export async function readTriageBase(store: IndexStore): Promise<TriageBase> {
  const { jobs, unclassified, parts } = await readTriageParts(store);
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
    agentModels: new Map(parts.flatMap(({ agentModels }) => [...agentModels])),
    groupKeys,
    cells: parts.flatMap(({ cells }) => cells),
    failures: parts.flatMap(({ failures }) => failures),
    reference: sumBy(reference, ({ jobRowId }) => jobRowId),
    oracleTasks,
  };
}
