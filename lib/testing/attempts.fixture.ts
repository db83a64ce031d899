import { jobResult, trialResult, type FolderFiles } from "./folder.fixture";

/** One attempt at a task. */
export interface Attempt {
  readonly task: string;
  readonly reward: number | null;
  /** `orca` without it. */
  readonly agent?: string;
  /** None without it. */
  readonly model?: string;
  /** Replaces top-level fields of its result. */
  readonly over?: FolderFiles;
}

/** A job of several agents, its attempts numbered as they come. @param name - at most 6 letters */
export function attemptFiles(name: string, attempts: readonly Attempt[]): FolderFiles {
  const named = attempts.map((attempt, nth) => ({
    ...attempt,
    trial: `${attempt.task}__${name}${String(nth).padStart(7 - name.length, "0")}`,
  }));
  const files: Record<string, unknown> = {
    [`${name}/result.json`]: jobResult(Object.fromEntries(named.map(({ trial }) => [trial, 0]))),
  };
  for (const { trial, task, reward, agent = "orca", model = null, over = {} } of named) {
    files[`${name}/${trial}/result.json`] = trialResult(trial, reward, {
      id: `id-${name}-${trial}`,
      task_name: task,
      agent_info: { name: agent, version: "1", model_info: model === null ? null : { name: model } },
      config: {
        task: { path: `tasks/${task}` },
        trial_name: trial,
        agent: { name: agent, model_name: model },
      },
      ...over,
    });
  }
  return files;
}

/** An exception of this type in the result. */
export function raised(type: string, message: string): FolderFiles {
  return {
    exception_info: {
      exception_type: type,
      exception_message: message,
      exception_traceback: "",
      occurred_at: "2026-05-01T17:05:00",
    },
  };
}
