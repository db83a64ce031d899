import type { PlannedTrial } from "@/lib/domain/job";
import type { PlannedTask } from "@/lib/domain/lineage";
import type { JobLockFile } from "@/lib/schema/job-files";

import { prepareTaskVersion, splitRecordedPath } from "../harbor/source-trial";
import { describeAgent, splitModelName, type TrialReading } from "../harbor/trial-record";

type PlannedEntry = NonNullable<NonNullable<JobLockFile["trials"]>[number]>;

interface AgentNames {
  readonly agent: string;
  readonly model: string | null;
  readonly provider: string | null;
}

/**
 * Names that finished trials give to the tasks and agents of a config, which names a task by its folder and an agent by its
 * import path: without them, a trial that has no result yet would count as another task.
 */
export class SiblingNames {
  private readonly byPath = new Map<string, string>();
  private readonly byDigest = new Map<string, string>();
  private readonly byName = new Map<string, string>();
  private readonly agents = new Map<string, AgentNames>();

  constructor(readings: readonly TrialReading[]) {
    for (const { record, configured } of readings) {
      if (record.state !== "finished") continue;
      const { taskPath, taskName, agent } = configured;
      if (taskPath !== null && taskPath !== ".") this.byPath.set(taskPath, record.taskName);
      if (taskName !== null) this.byName.set(taskName, record.taskName);
      if (record.taskDigest !== null) this.byDigest.set(record.taskDigest, record.taskName);
      if (agent !== null) this.agents.set(agent, record);
    }
  }

  /** The reading of a trial without a result, with the names that its siblings' results use. */
  complete(reading: TrialReading): TrialReading["record"] {
    const { record, configured } = reading;
    if (record.state === "finished") return record;
    const taskName = this.findTask(configured.taskPath, configured.taskName, null) ?? record.taskName;
    const names = configured.agent === null ? undefined : this.agents.get(configured.agent);
    if (names === undefined) return record.with({ taskName });
    const { agent, model, provider } = names;
    return record.with({ taskName, agent, model, provider });
  }

  /** The plan of a lock.json in the names that results use; null when it plans nothing. */
  preparePlan(lock: JobLockFile | null): readonly PlannedTrial[] | null {
    const trials = lock?.trials ?? [];
    if (trials.length === 0) return null;
    return trials.map(({ task, agent }) => ({ taskName: this.nameTask(task), ...this.nameAgent(agent) }));
  }

  /** The plan of a lock.json by task and version, in plan order; empty when it plans nothing. */
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
    const names = this.agents.get(describeAgent(agent));
    if (names !== undefined) return { agent: names.agent, model: names.model };
    const configured = agent?.name?.toString() ?? agent?.import_path ?? null;
    return { agent: configured, model: splitModelName(agent?.model_name).name };
  }

  private findTask(path: string | null, name: string | null, digest: string | null): string | null {
    const found =
      (path ? this.byPath.get(path) : undefined) ??
      (digest ? this.byDigest.get(digest) : undefined) ??
      (name ? this.byName.get(name) : undefined);
    return found ?? null;
  }
}
