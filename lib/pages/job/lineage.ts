import "server-only";
import { classifyFlip, type Flip, FLIPS } from "@/lib/core/domain/lineage";
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

import { deriveJobDiff } from "./diff";

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
