import "server-only";

import type { MarkMeasure } from "@/lib/charts/mark-scale";
import {
  readTaskChange,
  TASK_SPENDINGS,
  type TaskChange,
  type TaskSpending,
  type TaskStanding,
} from "@/lib/domain/compare-filter";
import { compareTaskMeans } from "@/lib/stats";

/** How a group stands to the first one, the baseline, at a task: by mean reward, and by what an attempt spends. */
interface TaskStand {
  readonly standing: TaskStanding;
  readonly spending: TaskSpending;
}

/** Tasks of a group by how it stands to the baseline, and which of them the matrix shows. */
export interface TaskChanges {
  /** Place among the groups of the one that is set against the first. */
  readonly versus: number;
  readonly measure: Exclude<MarkMeasure, "reward">;
  /** Tasks of both groups; each count opens its tasks. */
  readonly counts: Readonly<Record<TaskStanding, Readonly<Record<TaskSpending, number>>>>;
  /** Tasks that one of the two has no mean reward at. */
  readonly nApart: number;
}

/** What a cell says of a group at a task. */
interface ChangedCell {
  readonly mean: number | null;
  /** Mean amount of an attempt over those that state one. */
  readonly spent: number | null;
}

/** Stands of the tasks of two groups; null where one has no mean reward. */
export function findStand(other: ChangedCell, baseline: ChangedCell): TaskStand | null {
  if (other.mean === null || baseline.mean === null) return null;
  return {
    standing: STANDINGS[compareTaskMeans(other.mean, baseline.mean)],
    spending:
      other.spent === null || baseline.spent === null
        ? "unknown"
        : SPENDINGS[compareTaskMeans(other.spent, baseline.spent)],
  };
}

const STANDINGS = { "1": "ahead", "0": "level", "-1": "behind" } as const;
const SPENDINGS = { "1": "more", "0": "same", "-1": "less" } as const;

/** Counts stands, of which null are tasks apart. */
export function countStands(stands: Iterable<TaskStand | null>): Pick<TaskChanges, "counts" | "nApart"> {
  const none = () =>
    Object.fromEntries(TASK_SPENDINGS.map((one) => [one, 0])) as Record<TaskSpending, number>; // Every one is there.
  const counts = { ahead: none(), level: none(), behind: none() };
  let nApart = 0;
  for (const stand of stands)
    if (stand === null) nApart++;
    else counts[stand.standing][stand.spending]++;
  return { counts, nApart };
}

/** Whether a task is among those that the address asks for. */
export function fitsChange(stand: TaskStand | null, change: TaskChange): boolean {
  if (change === "any") return true;
  const { standing, spending } = readTaskChange(change);
  return (
    stand !== null &&
    (standing === null || stand.standing === standing) &&
    (spending === null || stand.spending === spending)
  );
}
