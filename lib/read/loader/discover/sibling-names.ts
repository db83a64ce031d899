import type { PlannedTrial } from "@/lib/core/domain/job";
import type { PlannedTask } from "@/lib/core/domain/lineage";
import type { TrialFiles } from "@/lib/core/domain/trial";
import type { JobLockFile } from "@/lib/read/schema/job-files";

import {
  prepareTaskVersion,
  splitRecordedPath,
  describeAgent,
  splitModelName,
  type TrialReading,
} from "../harbor/trial-files";

type PlannedEntry = NonNullable<NonNullable<JobLockFile["trials"]>[number]>;

/** Maps configured task and agent names to result names, so that an unfinished trial is no separate task. */
export type SiblingNames = ReturnType<typeof gatherNames>;

export function completeNames(names: SiblingNames, { record, configured }: TrialReading): TrialFiles {
  if (record.state === "finished") return record;
  const taskName = findTask(names, configured.taskPath, configured.taskName, null) ?? record.taskName;
  const found = configured.agent === null ? undefined : names.agents.get(configured.agent);
  if (found === undefined) return { ...record, taskName };
  const { agent, model, recordedModel, provider } = found;
  return { ...record, taskName, agent, model, recordedModel, provider };
}

export function preparePlan(names: SiblingNames, lock: JobLockFile | null): readonly PlannedTrial[] | null {
  const trials = lock?.trials ?? [];
  if (trials.length === 0) return null;
  return trials.map(({ task, agent }) => ({ taskName: nameTask(names, task), ...nameAgent(names, agent) }));
}

export function countPlannedTasks(names: SiblingNames, lock: JobLockFile | null): readonly PlannedTask[] {
  const byTask = Map.groupBy(lock?.trials ?? [], ({ task }) =>
    JSON.stringify([task?.path, task?.name, task?.version, task?.digest]),
  );
  return [...byTask.values()].map((trials) => {
    const task = trials[0]?.task;
    return {
      taskName: nameTask(names, task),
      lockName: splitRecordedPath(task?.path).at(-1) ?? task?.name ?? "",
      version: task?.version ?? null,
      digest: prepareTaskVersion(task)?.digest ?? null,
      nTrials: trials.length,
      nRegrades: trials.filter(({ source_trial: source }) => Boolean(source)).length,
    };
  });
}

function nameTask(names: SiblingNames, task: PlannedEntry["task"]): string {
  const { path = null, name = null } = task ?? {};
  const digest = prepareTaskVersion(task)?.digest ?? null;
  return findTask(names, path, name, digest) ?? name ?? splitRecordedPath(path).at(-1) ?? "";
}

function nameAgent({ agents }: SiblingNames, agent: PlannedEntry["agent"]) {
  const names = agents.get(describeAgent(agent));
  if (names !== undefined) return { agent: names.agent, model: names.model };
  const configured = agent?.name?.toString() ?? agent?.import_path ?? null;
  return { agent: configured, model: splitModelName(agent?.model_name).name };
}

function findTask(
  { byPath, byDigest, byName }: SiblingNames,
  path: string | null,
  name: string | null,
  digest: string | null,
): string | null {
  const found =
    (path ? byPath.get(path) : undefined) ??
    (digest ? byDigest.get(digest) : undefined) ??
    (name ? byName.get(name) : undefined);
  return found ?? null;
}

export function gatherNames(readings: readonly TrialReading[]) {
  const byPath = new Map<string, string>();
  const byDigest = new Map<string, string>();
  const byName = new Map<string, string>();
  const agents = new Map<string, TrialFiles>();
  for (const { record, configured } of readings) {
    if (record.state !== "finished") continue;
    const { taskPath, taskName, agent } = configured;
    if (taskPath !== null && taskPath !== ".") byPath.set(taskPath, record.taskName);
    if (taskName !== null) byName.set(taskName, record.taskName);
    if (record.taskDigest !== null) byDigest.set(record.taskDigest, record.taskName);
    if (agent !== null) agents.set(agent, record);
  }
  return { byPath, byDigest, byName, agents };
}
