import "server-only";
import type { MarkMeasure } from "@/lib/core/charts/mark-scale";
import {
  readTaskChange,
  TASK_SPENDINGS,
  type TaskChange,
  type TaskSpending,
  type TaskStanding,
} from "@/lib/core/domain/compare-filter";
import { compareTaskMeans } from "@/lib/core/stats";

interface TaskStand {
  readonly standing: TaskStanding;
  readonly spending: TaskSpending;
}

export interface TaskChanges {
  /** Index of the group compared with the first. */
  readonly versus: number;
  readonly measure: Exclude<MarkMeasure, "reward">;
  readonly counts: Readonly<Record<TaskStanding, Readonly<Record<TaskSpending, number>>>>;
  readonly nApart: number;
}

interface ChangedCell {
  readonly mean: number | null;
  readonly spent: number | null;
}

/** Compares a group with the baseline at a task; null if one has no mean reward. */
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

/** Counts tasks by standing and spending; null entries count in `nApart`. */
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

export function fitsChange(stand: TaskStand | null, change: TaskChange): boolean {
  if (change === "any") return true;
  const { standing, spending } = readTaskChange(change);
  return (
    stand !== null &&
    (standing === null || stand.standing === standing) &&
    (spending === null || stand.spending === spending)
  );
}
