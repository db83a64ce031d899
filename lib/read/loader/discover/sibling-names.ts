import type { PlannedTrial } from "@/lib/core/domain/job";
import type { PlannedTask } from "@/lib/core/domain/lineage";
import type { JobLockFile } from "@/lib/read/schema/job-files";

import { prepareTaskVersion, splitRecordedPath } from "../harbor/source-trial";
import { describeAgent, splitModelName, type TrialReading } from "../harbor/trial-files";

type PlannedEntry = NonNullable<NonNullable<JobLockFile["trials"]>[number]>;

/** Maps configured task and agent names to result names, so that an unfinished trial is no separate task. */
export class SiblingNames {
  private readonly readings: readonly TrialReading[];
  private gathered: ReturnType<typeof gatherNames> | null = null;

  constructor(readings: readonly TrialReading[]) {
    this.readings = readings;
  }

  complete({ record, configured }: TrialReading): TrialReading["record"] {
    if (record.state === "finished") return record;
    const taskName = this.findTask(configured.taskPath, configured.taskName, null) ?? record.taskName;
    const names = configured.agent === null ? undefined : this.names.agents.get(configured.agent);
    if (names === undefined) return { ...record, taskName };
    const { agent, model, recordedModel, provider } = names;
    return { ...record, taskName, agent, model, recordedModel, provider };
  }

  preparePlan(lock: JobLockFile | null): readonly PlannedTrial[] | null {
    const trials = lock?.trials ?? [];
    if (trials.length === 0) return null;
    return trials.map(({ task, agent }) => ({ taskName: this.nameTask(task), ...this.nameAgent(agent) }));
  }

  countPlannedTasks(lock: JobLockFile | null): readonly PlannedTask[] {
    const byTask = Map.groupBy(lock?.trials ?? [], ({ task }) =>
      JSON.stringify([task?.path, task?.name, task?.version, task?.digest]),
    );
    return [...byTask.values()].map((trials) => {
      const task = trials[0]?.task;
      return {
        taskName: this.nameTask(task),
        lockName: splitRecordedPath(task?.path).at(-1) ?? task?.name ?? "",
        version: task?.version ?? null,
        digest: prepareTaskVersion(task)?.digest ?? null,
        nTrials: trials.length,
        nRegrades: trials.filter(({ source_trial: source }) => Boolean(source)).length,
      };
    });
  }

  private nameTask(task: PlannedEntry["task"]): string {
    const path = task?.path ?? null;
    const name = task?.name ?? null;
    const digest = task?.digest?.replace(/^sha256:/, "") ?? null;
    return this.findTask(path, name, digest) ?? name ?? splitRecordedPath(path).at(-1) ?? "";
  }

  private nameAgent(agent: PlannedEntry["agent"]): Pick<PlannedTrial, "agent" | "model"> {
    const names = this.names.agents.get(describeAgent(agent));
    if (names !== undefined) return { agent: names.agent, model: names.model };
    const configured = agent?.name?.toString() ?? agent?.import_path ?? null;
    return { agent: configured, model: splitModelName(agent?.model_name).name };
  }

  private findTask(path: string | null, name: string | null, digest: string | null): string | null {
    const { byPath, byDigest, byName } = this.names;
    const found =
      (path ? byPath.get(path) : undefined) ??
      (digest ? byDigest.get(digest) : undefined) ??
      (name ? byName.get(name) : undefined);
    return found ?? null;
  }

  private get names(): ReturnType<typeof gatherNames> {
    return (this.gathered ??= gatherNames(this.readings));
  }
}

function gatherNames(readings: readonly TrialReading[]) {
  const byPath = new Map<string, string>();
  const byDigest = new Map<string, string>();
  const byName = new Map<string, string>();
  const agents = new Map<string, TrialReading["record"]>();
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
