import { compareText } from "./compare-text";

/** Trials of one version of a task in one job. */
export interface TaskRun {
  readonly root: number;
  /** The job's folder below its root. */
  readonly folder: string;
  /** The dataset; null for an ad hoc task. */
  readonly source: string | null;
  /** As recorded. */
  readonly taskName: string;
  readonly taskDigest: string | null;
  /** Milliseconds since 1970-01-01; null if no trial records a start. */
  readonly startedMs: number | null;
  readonly endedMs: number | null;
}

/**
 * Labels the runs of tasks that share a name and are different tasks. Versions of a name are different tasks if jobs ran them
 * at the same time in folders of which none contains another. Versions that ran one after another, or in one folder, are
 * edits of one task and stay comparable.
 */
export function labelTasks<Run extends TaskRun>(runs: readonly Run[]): ReadonlyMap<Run, string> {
  const names = Map.groupBy(runs, ({ root, source, taskName }) => JSON.stringify([root, source, taskName]));
  const labels = new Map<Run, string>();
  for (const own of names.values()) {
    const tasks = divideByFolder(own);
    if (tasks.length < 2 || !haveOverlapped(tasks)) continue;
    const places = shortenFolders(tasks.map(({ folder }) => folder));
    for (const [index, task] of tasks.entries())
      for (const run of task.runs) labels.set(run, `${run.taskName} (${places[index] ?? ""})`);
  }
  return labels;
}

interface LocatedTask<Run> {
  /** Parts of the deepest folder around all jobs that ran it. */
  readonly folder: readonly string[];
  readonly runs: readonly Run[];
}

/** Versions by digest, those in one folder or below it together. */
function divideByFolder<Run extends TaskRun>(runs: readonly Run[]): readonly LocatedTask<Run>[] {
  const versions = [...Map.groupBy(runs, ({ taskDigest }) => taskDigest).values()].map((own) => {
    const parents = own.map(({ folder }) => folder.split("/").slice(0, -1));
    return { folder: parents.reduce<readonly string[]>(findCommon, parents[0] ?? []), runs: own };
  });
  const pathOf = ({ folder }: LocatedTask<Run>) => folder.map((part) => `${part}\0`).join("");
  const sorted = versions.toSorted((a, b) => compareText(pathOf(a), pathOf(b)));
  const tasks: LocatedTask<Run>[] = [];
  for (const version of sorted) {
    const last = tasks.at(-1);
    if (last === undefined || !pathOf(version).startsWith(pathOf(last))) tasks.push(version);
    else tasks[tasks.length - 1] = { ...last, runs: [...last.runs, ...version.runs] };
  }
  return tasks;
}

function findCommon(a: readonly string[], b: readonly string[]): readonly string[] {
  const end = a.findIndex((part, index) => part !== b[index]);
  return end === -1 ? a : a.slice(0, end);
}

/** True if all tasks were being run at one moment; unknown times are no overlap. */
function haveOverlapped(tasks: readonly LocatedTask<TaskRun>[]): boolean {
  let [latestStart, earliestEnd] = [-Infinity, Infinity];
  for (const { runs } of tasks) {
    let [start, end] = [Infinity, -Infinity];
    for (const { startedMs, endedMs } of runs) {
      start = Math.min(start, startedMs ?? Infinity);
      end = Math.max(end, endedMs ?? -Infinity);
    }
    latestStart = Math.max(latestStart, start);
    earliestEnd = Math.min(earliestEnd, end);
  }
  return latestStart <= earliestEnd;
}

/** Returns the fewest parts after the common ones that tell the folders apart. The folders must differ. */
export function shortenFolders(folders: readonly (readonly string[])[]): readonly string[] {
  const start = folders.reduce(findCommon).length;
  for (let end = start + 1; ; end += 1) {
    const short = folders.map((folder) => folder.slice(start, end).join("/"));
    if (new Set(short).size === folders.length) return short;
  }
}
