import "server-only";
import {
  classifyFlip,
  type Flip,
  FLIPS,
  type PlannedTask,
  type WantedTasks,
} from "@/lib/core/domain/lineage";
import { computeMean } from "@/lib/core/stats";
import {
  type IndexStore,
  type JobHead,
  readPlannedTasks,
  type RegradedTrial,
  readRegradedTrials,
  readRegradingJobs,
  readSourceJob,
} from "@/lib/store/tables";

export type JobLineage = NonNullable<Awaited<ReturnType<typeof getJobLineage>>>;

export async function getJobLineage(store: IndexStore, job: JobHead) {
  const { sourceJobs, wanted } = job;
  const regradedIn = await readRegradingJobs(store, job.rowId);
  const regraded = job.regraded.nTrials === 0 ? [] : await readRegradedTrials(store, job.rowId);
  if (sourceJobs.length === 0 && regradedIn.length === 0 && regraded.length === 0) return null;
  const open = await Promise.all(sourceJobs.map((source) => readSourceJob(store, source)));
  const plans = await Promise.all(
    open.map(async (job) => (job === null ? [] : readPlannedTasks(store, job.id))),
  );
  const own = await readPlannedTasks(store, job.rowId);
  return {
    sources: sourceJobs.map(({ action, id, name }, index) => ({
      action,
      name: name ?? id ?? "an unnamed job",
      open: open[index] ?? null,
    })),
    regradedIn,
    flips: regraded.length === 0 ? null : countFlips(regraded),
    diff:
      wanted === null || own.length === 0
        ? null
        : deriveJobDiff(
            own,
            plans.flat(),
            wanted,
            plans.every((plan) => plan.length > 0),
          ),
  };
}

export async function readFlippedKeys(
  store: IndexStore,
  jobRowId: number,
  flips: readonly Flip[],
): Promise<ReadonlySet<string>> {
  const trials = await readRegradedTrials(store, jobRowId);
  return new Set(
    trials.filter((trial) => flips.includes(classifyFlip(trial.source, trial))).map(({ key }) => key),
  );
}

export type Flips = ReturnType<typeof countFlips>;

export type FlipTask = Flips["changed"][number];

function countFlips(trials: readonly RegradedTrial[]) {
  const byTask = Map.groupBy(trials, ({ taskName, sourceTask, ownTask }) =>
    JSON.stringify([taskName, sourceTask, ownTask]),
  );
  const tasks = [...byTask.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { taskName, sourceTask, ownTask } = first;
    const flips = summarise(own);
    // `nChanged`: trials whose reward appeared, disappeared or changed.
    return [{ ...flips, taskName, sourceTask, ownTask, nChanged: countChanged(flips) }];
  });
  const versions = new Map(
    tasks.map(({ sourceTask, ownTask }) => {
      const pair = { source: sourceTask.version, own: ownTask.version };
      return [JSON.stringify(pair), pair] as const;
    }),
  );
  return {
    total: summarise(trials),
    changed: tasks.filter(({ nChanged }) => nChanged > 0).sort((a, b) => b.nChanged - a.nChanged),
    nTasks: tasks.length,
    /** Distinct version pairs of source and regrade; null if a lock has none. */
    versions: [...versions.values()],
  };
}

function countChanged({ counts }: FlipCounts): number {
  return counts.up + counts.down + counts["newly-scored"] + counts["no-longer-scored"];
}

export type FlipCounts = ReturnType<typeof summarise>;

function summarise(trials: readonly RegradedTrial[]) {
  const counts = Object.fromEntries(FLIPS.map((flip) => [flip, 0])) as Record<Flip, number>;
  for (const trial of trials) counts[classifyFlip(trial.source, trial)]++;
  const common = trials.flatMap(({ reward, source }) =>
    reward === null || source === null || source.reward === null
      ? []
      : [{ before: source.reward, after: reward }],
  );
  const isNone = common.length === 0;
  return {
    counts,
    nTrials: trials.length,
    /** Trials with a reward before and after. Means are over these; null without any. */
    nCommon: common.length,
    meanBefore: isNone ? null : computeMean(common.map(({ before }) => before)),
    meanAfter: isNone ? null : computeMean(common.map(({ after }) => after)),
  };
}

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
function deriveJobDiff(
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
