import "server-only";
import { classifyFlip, type Flip, FLIPS, type SourceAction } from "@/lib/core/domain/lineage";
import type { TaskVersion } from "@/lib/core/domain/trial";
import { computeMean } from "@/lib/core/stats";
import {
  type IndexStore,
  type JobHead,
  readPlannedTasks,
  type RegradedTrial,
  readRegradedTrials,
  readRegradingJobs,
  readSourceJob,
  type RegradingJob,
} from "@/lib/store/tables";

import { deriveJobDiff, type JobDiff } from "./diff";

export interface SourceJobRow {
  readonly action: SourceAction;
  readonly name: string;
  readonly open: { readonly key: string; readonly name: string } | null;
}

export interface FlipCounts {
  readonly counts: Readonly<Record<Flip, number>>;
  readonly nTrials: number;
  /** Trials with a reward before and after. Means are over these; null without any. */
  readonly nCommon: number;
  readonly meanBefore: number | null;
  readonly meanAfter: number | null;
}

export interface FlipTask extends FlipCounts {
  readonly taskName: string;
  readonly sourceTask: TaskVersion;
  readonly ownTask: TaskVersion;
  /** Trials whose reward appeared, disappeared or changed. */
  readonly nChanged: number;
}

export interface Flips {
  readonly total: FlipCounts;
  readonly changed: readonly FlipTask[];
  readonly nTasks: number;
  /** Distinct version pairs of source and regrade; null if a lock has none. */
  readonly versions: readonly { readonly source: string | null; readonly own: string | null }[];
}

export interface JobLineage {
  readonly sources: readonly SourceJobRow[];
  readonly regradedIn: readonly RegradingJob[];
  readonly flips: Flips | null;
  readonly diff: JobDiff | null;
}

export async function getJobLineage(store: IndexStore, job: JobHead): Promise<JobLineage | null> {
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

function countFlips(trials: readonly RegradedTrial[]): Flips {
  const byTask = Map.groupBy(trials, ({ taskName, sourceTask, ownTask }) =>
    JSON.stringify([taskName, sourceTask, ownTask]),
  );
  const tasks = [...byTask.values()].flatMap((own): FlipTask[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { taskName, sourceTask, ownTask } = first;
    const flips = summarise(own);
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
    versions: [...versions.values()],
  };
}

function countChanged({ counts }: FlipCounts): number {
  return counts.up + counts.down + counts["newly-scored"] + counts["no-longer-scored"];
}

function summarise(trials: readonly RegradedTrial[]): FlipCounts {
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
    nCommon: common.length,
    meanBefore: isNone ? null : computeMean(common.map(({ before }) => before)),
    meanAfter: isNone ? null : computeMean(common.map(({ after }) => after)),
  };
}
