import "server-only";
import type { PlannedTask, WantedTasks } from "@/lib/core/domain/lineage";

export interface DiffTask {
  readonly taskName: string;
  /** Distinct versions in the source jobs, and the version in this job. Empty and null if no lock records one. */
  readonly sourceVersions: readonly string[];
  readonly version: string | null;
  readonly nReused: number;
  readonly nRegraded: number;
  readonly nRerun: number;
  readonly reason: string | null;
  /** The config names only the dataset. A task removed from it would look the same. */
  readonly isAssumed: boolean;
}

export type JobDiff = ReturnType<typeof deriveJobDiff>;

/**
 * Derives what Harbor reused, which no file records: a wanted task gets all its attempts, and those missing from the job's plan
 * came from the sources.
 *
 * @see harbor 0.24.0 src/harbor/job_diff.py#compare_job_trials
 */
export function deriveJobDiff(
  own: readonly PlannedTask[],
  source: readonly PlannedTask[],
  wanted: WantedTasks,
  areAllOpen: boolean,
) {
  const planned = [...Map.groupBy(own, ({ lockName }) => lockName).values()].map((parts) =>
    describePlanned(parts, source, wanted, areAllOpen),
  );
  const absent = [...Map.groupBy(source, ({ lockName }) => lockName).values()].flatMap((parts) =>
    own.some((task) => isSameTask(task, parts[0])) ? [] : describeAbsent(parts, wanted),
  );
  const known = [...own, ...source];
  const listed = wanted.names.filter((name) => !known.some((task) => hasName(task, name)));
  const tasks = [...absent, ...listed.map((name) => prepareReused(name, [], wanted, false)), ...planned];
  const sum = (count: (task: DiffTask) => number) => tasks.reduce((total, task) => total + count(task), 0);
  return {
    tasks,
    nReused: sum(({ nReused }) => nReused),
    nRegraded: sum(({ nRegraded }) => nRegraded),
    nRerun: sum(({ nRerun }) => nRerun),
    /** True if tasks may have been reused that no open file names. */
    isIncomplete: wanted.hasDataset && !areAllOpen,
  };
}

function isSameTask(task: PlannedTask, other: PlannedTask | undefined): boolean {
  return task.taskName === other?.taskName || task.lockName === other?.lockName;
}

function hasName({ taskName, lockName }: PlannedTask, name: string): boolean {
  return taskName === name || lockName === name || name.endsWith(`/${lockName}`);
}

function describePlanned(
  parts: readonly PlannedTask[],
  source: readonly PlannedTask[],
  wanted: WantedTasks,
  areAllOpen: boolean,
): DiffTask {
  const [first] = parts;
  const nTrials = parts.reduce((sum, part) => sum + part.nTrials, 0);
  const nRegraded = parts.reduce((sum, part) => sum + part.nRegrades, 0);
  const sources = source.filter((task) => isSameTask(task, first));
  const version = first?.version ?? null;
  return {
    taskName: first?.taskName ?? "",
    sourceVersions: listVersions(sources),
    version,
    nReused: Math.max(0, wanted.nPerTask - nTrials),
    nRegraded,
    nRerun: nTrials - nRegraded,
    reason: nTrials === nRegraded ? null : describeRerun(version, sources, areAllOpen),
    isAssumed: false,
  };
}

/** Describes a source task without a trial in the job. It was reused whole unless it was unusable or unwanted. */
function describeAbsent(parts: readonly PlannedTask[], wanted: WantedTasks): readonly DiffTask[] {
  const [first] = parts;
  if (first === undefined) return [];
  const isListed = wanted.names.some((name) => hasName(first, name));
  // Harbor reuses only trials of tasks with a version, each once.
  const nUsable = parts.reduce((sum, part) => sum + (part.version === null ? 0 : part.nTrials), 0);
  if (!isListed && (!wanted.hasDataset || nUsable < wanted.nPerTask)) return [];
  return [prepareReused(first.taskName, listVersions(parts), wanted, !isListed)];
}

function prepareReused(
  taskName: string,
  sourceVersions: readonly string[],
  { nPerTask }: WantedTasks,
  isAssumed: boolean,
): DiffTask {
  const none = { nRegraded: 0, nRerun: 0, version: null, reason: null };
  return { taskName, sourceVersions, nReused: nPerTask, isAssumed, ...none };
}

function listVersions(tasks: readonly PlannedTask[]): readonly string[] {
  return [...new Set(tasks.flatMap(({ version }) => version ?? []))];
}

function describeRerun(
  version: string | null,
  sources: readonly PlannedTask[],
  areAllOpen: boolean,
): string | null {
  if (version === null) return "the task has no version";
  if (sources.length === 0) return areAllOpen ? "not in the source" : null;
  const known = listVersions(sources);
  if (known.length === 0) return "the source task has no version";
  const major = readMajor(version);
  if (known.every((one) => readMajor(one) !== major)) return "major version changed";
  return "no source trial could be used: failed, used already or run with other settings";
}

function readMajor(version: string): string {
  return version.slice(0, Math.max(0, version.indexOf(".")));
}
