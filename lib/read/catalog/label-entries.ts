import type { JobEntry } from "@/lib/core/domain/catalog";
import { groupByTask, labelPlanned, labelTasks, type TaskRun } from "@/lib/core/domain/task-labels";
import type { TrialRecord } from "@/lib/core/domain/trial";

interface EntryRun extends TaskRun {
  readonly entry: JobEntry;
  readonly trials: readonly TrialRecord[];
}

export function labelEntries(entries: readonly JobEntry[]): readonly JobEntry[] {
  const labels = labelTasks(entries.flatMap(listRuns));
  const byEntry = Map.groupBy(labels, ([{ entry }]) => entry);
  return entries.map((entry) => {
    const own = byEntry.get(entry);
    if (own === undefined) return entry;
    const names = new Map(own.flatMap(([{ trials }, label]) => trials.map((trial) => [trial, label])));
    const known = own.map(([run, label]) => ({ ...run, label }));
    const plannedTasks = entry.job.plannedTasks.map((task) => labelPlanned(task, known));
    const trials = entry.trials.map((trial) => ({ ...trial, taskName: names.get(trial) ?? trial.taskName }));
    return { ...entry, job: { ...entry.job, plannedTasks }, trials };
  });
}

function listRuns(entry: JobEntry): readonly EntryRun[] {
  const { root, folder } = entry.job;
  return groupByTask(entry.trials).flatMap(({ taskName, trials }) => {
    const known = new Map(trials.map((trial) => [JSON.stringify([trial.source, trial.taskDigest]), trial]));
    return Array.from(known.values()).flatMap(({ source, taskDigest }) =>
      taskDigest === null ? [] : { entry, trials, root, folder, source, taskName, taskDigest },
    );
  });
}
