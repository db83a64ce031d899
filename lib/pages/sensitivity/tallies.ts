import "server-only";
import type { SensitivityTrial } from "@/lib/core/stats";
import { EXCLUDED_CLASSES } from "@/lib/core/triage/classes";
import { type IndexStore, readClassTallies, readRewardTallies } from "@/lib/store/tables";

import { readExclusion } from "./exclusions";

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
