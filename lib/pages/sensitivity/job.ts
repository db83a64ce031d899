import "server-only";
import { describeSensitivity, type SensitivityLine } from "@/lib/core/comparison";
import { computeSensitivity, type SensitivityTrial } from "@/lib/core/stats";
import { CLASSES, EXCLUDED_CLASSES, type FailureClass } from "@/lib/core/triage/classes";
import {
  type IndexStore,
  type JobHead,
  readClassTallies,
  readRewardTallies,
  readTrialClasses,
} from "@/lib/store/tables";

import { createCache } from "../shell/cache";

/** A null class means that the trial is not classified yet. */
function readExclusion(failureClass: FailureClass | null): SensitivityTrial["exclusion"] {
  return failureClass === null ? "unknown" : (CLASSES[failureClass].excludedAs ?? null);
}

/** Returns exclusions by trial key. A trial without one is absent. */
export async function readExclusions(
  store: IndexStore,
  group: Parameters<typeof readTrialClasses>[1],
): Promise<ReadonlyMap<string, SensitivityTrial["exclusion"]>> {
  const classes = await readTrialClasses(store, group, EXCLUDED_CLASSES);
  return new Map(Array.from(classes, ([key, failureClass]) => [key, readExclusion(failureClass)]));
}

/** Number of finished trials of a group at one task that every score treats alike. */
interface ScoredTally {
  readonly jobRowId: number;
  readonly groupKey: string;
  readonly taskName: string;
  readonly reward: number | null;
  readonly exclusion: SensitivityTrial["exclusion"];
  readonly count: number;
}

/** Counts finished trials of all jobs with ids from `first` to `last`, by reward and exclusion. */
export async function readScoredTallies(
  store: IndexStore,
  range: { readonly first: number; readonly last: number },
): Promise<readonly ScoredTally[]> {
  const [all, classed] = await Promise.all([
    readRewardTallies(store, range),
    readClassTallies(store, range, EXCLUDED_CLASSES),
  ]);
  const byKind = Map.groupBy(
    classed.map(({ failureClass, ...tally }) => ({ ...tally, exclusion: readExclusion(failureClass) })),
    nameTally,
  );
  return all.flatMap((tally): ScoredTally[] => {
    const own = byKind.get(nameTally(tally)) ?? [];
    const nOwn = own.reduce((sum, { count }) => sum + count, 0);
    // A job may be reread between the two queries.
    return [...own, { ...tally, exclusion: null, count: Math.max(0, tally.count - nOwn) }];
  });
}

function nameTally({
  jobRowId,
  groupKey,
  taskName,
  reward,
}: Pick<ScoredTally, "jobRowId" | "groupKey" | "taskName" | "reward">): string {
  return JSON.stringify([jobRowId, groupKey, taskName, reward]);
}

/** @param nameTask - tells different tasks of the same name apart */
export function listScoredTrials(
  tallies: readonly ScoredTally[],
  nameTask: (tally: ScoredTally) => string = ({ taskName }) => taskName,
): readonly SensitivityTrial[] {
  return tallies.flatMap((tally) => {
    const trial = { task: nameTask(tally), value: tally.reward, exclusion: tally.exclusion };
    return new Array<SensitivityTrial>(tally.count).fill(trial);
  });
}

const MOST_JOBS = 20;

export type GroupSensitivity = Awaited<ReturnType<typeof readJobSensitivity>>[number];

const keep = createCache<readonly { readonly groupKey: string; readonly line: SensitivityLine }[]>(MOST_JOBS);

/** Returns groups whose score some reading changes, cached for the job's version. */
export async function readJobSensitivity(
  store: IndexStore,
  job: Pick<JobHead, "rowId" | "version" | "groups">,
) {
  return keep(`${job.rowId} ${job.version}`, async () => {
    const tallies = await readScoredTallies(store, { first: job.rowId, last: job.rowId });
    const byGroup = Map.groupBy(tallies, ({ groupKey }) => groupKey);
    return job.groups.flatMap(({ group: { key }, interval }) => {
      if (interval.kind === "unavailable") return [];
      const trials = listScoredTrials(byGroup.get(key) ?? []);
      const line = describeSensitivity(computeSensitivity(trials, interval));
      return line === null ? [] : [{ groupKey: key, line }];
    });
  });
}
