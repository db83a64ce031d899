import { compareNames } from "./compare-text";
import type { PlannedTask } from "./lineage";
import type { Trial } from "./trial";

type TaskTrial = Pick<Trial, "source" | "taskName" | "taskDigest">;

export interface JobTask<Trial> {
  readonly taskName: string;
  readonly trials: readonly Trial[];
}

/** Groups one job's trials by task. If a name has several digests in one dataset, each digest, and none, is a task. */
export function groupByTask<Trial extends TaskTrial>(trials: readonly Trial[]): readonly JobTask<Trial>[] {
  const digests = new Map<string, Set<string>>();
  const nameTask = ({ source, taskName }: Trial) => JSON.stringify([source, taskName]);
  for (const trial of trials) {
    if (trial.taskDigest === null) continue;
    const name = nameTask(trial);
    digests.set(name, (digests.get(name) ?? new Set()).add(trial.taskDigest));
  }
  const divide = (trial: Trial) =>
    (digests.get(nameTask(trial))?.size ?? 0) > 1 ? `${nameTask(trial)}${trial.taskDigest}` : trial.taskName;
  return Array.from(Map.groupBy(trials, divide).values(), (own) => ({
    taskName: own[0]?.taskName ?? "",
    trials: own,
  })).toSorted((a, b) => compareNames(a.taskName, b.taskName));
}

export interface TaskRun {
  readonly root: number;
  readonly folder: string;
  readonly source: string | null;
  readonly taskName: string;
  readonly taskDigest: string;
}

/**
 * Labels tasks that share a name: versions in different folders by folder, versions of one job by the first digits of their
 * digests. Other versions in one folder are edits of one task and stay comparable. A version in a folder that contains all the
 * others keeps its name.
 */
export function labelTasks<Run extends TaskRun>(runs: readonly Run[]): ReadonlyMap<Run, string> {
  const names = Map.groupBy(runs, ({ root, source, taskName }) => JSON.stringify([root, source, taskName]));
  const labels = new Map<Run, string>();
  for (const own of names.values()) {
    const located = [...Map.groupBy(listVersions(own), ({ folder }) => folder.join("/")).values()];
    const places = shortenFolders(located.map(([first]) => first?.folder ?? []));
    for (const [index, versions] of located.entries()) {
      const digests = shareJob(versions) ? versions.map(({ digest }) => [digest.slice(0, 10), digest]) : [[]];
      const short = shortenFolders(digests);
      for (const [at, { runs: same }] of versions.entries()) {
        const place = [places[index], short[at]].filter(Boolean).join(", ");
        if (place !== "") for (const run of same) labels.set(run, `${run.taskName} (${place})`);
      }
    }
  }
  return labels;
}

interface TaskVersionRuns<Run> {
  readonly digest: string;
  readonly folder: readonly string[];
  readonly runs: readonly Run[];
}

function listVersions<Run extends TaskRun>(runs: readonly Run[]): readonly TaskVersionRuns<Run>[] {
  return Array.from(
    Map.groupBy(runs, ({ taskDigest }) => taskDigest),
    ([digest, own]) => {
      const parents = own.map(({ folder }) => folder.split("/").slice(0, -1));
      return { digest, folder: parents.reduce<readonly string[]>(findCommon, parents[0] ?? []), runs: own };
    },
  );
}

export type PlannedLabel = Pick<Trial, "taskName" | "taskDigest"> & { readonly label: string };

export function labelPlanned(task: PlannedTask, labels: readonly PlannedLabel[]): PlannedTask {
  const own = labels.filter(({ taskName }) => taskName === task.taskName);
  const version = own.filter(({ taskDigest }) => (task.digest ?? taskDigest) === taskDigest);
  const [label, ...others] = new Set(version.map((one) => one.label));
  return label === undefined || others.length > 0 ? task : { ...task, taskName: label };
}

function shareJob(versions: readonly TaskVersionRuns<TaskRun>[]): boolean {
  const jobs = versions.flatMap(({ runs }) => [...new Set(runs.map(({ folder }) => folder))]);
  return new Set(jobs).size < jobs.length;
}

function findCommon(a: readonly string[], b: readonly string[]): readonly string[] {
  const end = a.findIndex((part, index) => part !== b[index]);
  return end === -1 ? a : a.slice(0, end);
}

/** Returns the shortest parts after the common ones that differ for all folders; empty for one folder. Folders must differ. */
export function shortenFolders(folders: readonly (readonly string[])[]): readonly string[] {
  const start = folders.reduce(findCommon).length;
  for (let end = start + 1; ; end += 1) {
    const short = folders.map((folder) => folder.slice(start, end).join("/"));
    if (new Set(short).size === folders.length) return short;
  }
}
