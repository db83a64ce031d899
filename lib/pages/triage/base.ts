import "server-only";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { IndexStore } from "@/lib/store/tables";

import { createGenerationCache } from "../shell/cache";
import { type JobsState, readJobsState } from "../shell/jobs-state";
import { readOracleTasks } from "./oracle-tasks";
import { nameTask, readTriageParts, STATES_KEPT } from "./parts";

export type TriageBase = Awaited<ReturnType<typeof combineParts>>;

const keep = createGenerationCache(1, STATES_KEPT);

export async function readTriageBase(store: IndexStore, state?: JobsState) {
  const shown = state ?? (await readJobsState(store));
  return keep(shown, "triage", () => combineParts(shown));
}

/** Trials of `oracle` and `nop` are only in `reference`. */
async function combineParts(state: JobsState) {
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
    /** Jobs left out entirely, because some of their trials could not be classified. */
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
