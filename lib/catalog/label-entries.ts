import type { JobEntry } from "@/lib/domain/catalog";
import { labelTasks, type TaskRun } from "@/lib/domain/task-labels";

interface EntryRun extends TaskRun {
  readonly entry: JobEntry;
}

/** The jobs with the labels of their tasks in place of the recorded names, see `labelTasks`. */
export function labelEntries(entries: readonly JobEntry[]): readonly JobEntry[] {
  const labels = new Map<JobEntry, Map<string, string>>();
  for (const [{ entry, taskName }, label] of labelTasks(entries.flatMap(listRuns)))
    labels.set(entry, (labels.get(entry) ?? new Map<string, string>()).set(taskName, label));
  return entries.map((entry) => {
    const own = labels.get(entry);
    if (own === undefined) return entry;
    const rename = <Named extends { readonly taskName: string }>(named: Named): Named => ({
      ...named,
      taskName: own.get(named.taskName) ?? named.taskName,
    });
    const job = { ...entry.job, plannedTasks: entry.job.plannedTasks.map(rename) };
    return { ...entry, job, trials: entry.trials.map(rename) };
  });
}

function listRuns(entry: JobEntry): readonly EntryRun[] {
  const { root, folder } = entry.job;
  return entry.trials.flatMap(({ source, taskName, taskDigest }) =>
    taskDigest === null ? [] : { entry, root, folder, source, taskName, taskDigest },
  );
}
