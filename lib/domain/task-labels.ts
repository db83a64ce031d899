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
}

/**
 * Labels the runs of tasks that share a name and are different tasks: versions that jobs ran in different folders. Versions
 * of one folder or one job are edits of one task and stay comparable. A version in a folder around all the others keeps its
 * name.
 */
export function labelTasks<Run extends TaskRun>(runs: readonly Run[]): ReadonlyMap<Run, string> {
  const names = Map.groupBy(runs, ({ root, source, taskName }) => JSON.stringify([root, source, taskName]));
  const labels = new Map<Run, string>();
  for (const own of names.values()) {
    const tasks = divideByFolder(own);
    if (tasks.length < 2) continue;
    const places = shortenFolders(tasks.map(({ folder }) => folder));
    for (const [index, task] of tasks.entries()) {
      const place = places[index] ?? "";
      if (place === "") continue;
      for (const run of task.runs) labels.set(run, `${run.taskName} (${place})`);
    }
  }
  return labels;
}

interface LocatedTask<Run> {
  /** Parts of the deepest folder around all jobs that ran it. */
  readonly folder: readonly string[];
  readonly runs: readonly Run[];
}

/** Versions, those with one folder together. */
function divideByFolder<Run extends TaskRun>(runs: readonly Run[]): readonly LocatedTask<Run>[] {
  const versions = listVersions(runs).map((own) => {
    const parents = own.map(({ folder }) => folder.split("/").slice(0, -1));
    return { folder: parents.reduce<readonly string[]>(findCommon, parents[0] ?? []), runs: own };
  });
  return Array.from(Map.groupBy(versions, ({ folder }) => folder.join("/")).values(), (own) => ({
    folder: own[0]?.folder ?? [],
    runs: own.flatMap((version) => version.runs),
  }));
}

/** Runs by digest, those of digests that one job ran together. */
function listVersions<Run extends TaskRun>(runs: readonly Run[]): readonly (readonly Run[])[] {
  let versions: readonly (readonly Run[])[] = [];
  for (const own of Map.groupBy(runs, ({ taskDigest }) => taskDigest).values()) {
    const jobs = new Set(own.map(({ folder }) => folder));
    const sharesJob = (version: readonly Run[]) => version.some(({ folder }) => jobs.has(folder));
    const joined = [...versions.filter(sharesJob).flat(), ...own];
    versions = [...versions.filter((version) => !sharesJob(version)), joined];
  }
  return versions;
}

function findCommon(a: readonly string[], b: readonly string[]): readonly string[] {
  const end = a.findIndex((part, index) => part !== b[index]);
  return end === -1 ? a : a.slice(0, end);
}

/** Returns the fewest parts after the common ones that tell the folders apart. The folders must differ. */
export function shortenFolders(folders: readonly (readonly string[])[]): readonly string[] {
  const start = folders.reduce(findCommon).length;
  for (let end = start + 1; ; end += 1) {
    const short = folders.map((folder) => folder.slice(start, end).join("/"));
    if (new Set(short).size === folders.length) return short;
  }
}
