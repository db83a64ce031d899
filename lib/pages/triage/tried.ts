import "server-only";
import { oncePer } from "@/lib/core/domain/once-per";
import { sumBy } from "@/lib/core/domain/sum-by";
import { findTaskFamily } from "@/lib/core/domain/task-family";

import type { Cell } from "./cell-sums";
import type { Failure } from "./parts";

export class TaskCounts {
  readonly all = new Map<string, number>();
  readonly ofAgent = new Map<string, Map<string, number>>();

  add({ agentModel, task }: Cell | Failure, n: number): void {
    const own = this.ofAgent.get(agentModel) ?? new Map<string, number>();
    if (own.size === 0) this.ofAgent.set(agentModel, own);
    own.set(task, (own.get(task) ?? 0) + n);
    this.all.set(task, (this.all.get(task) ?? 0) + n);
  }
}

/** Counted once for all filters that leave the cells unchanged. */
export const countTried = oncePer((cells: readonly Cell[]) => {
  const byTask = new TaskCounts();
  const nameOf = new Map<string, string>();
  for (const cell of cells) {
    byTask.add(cell, cell.nTrials);
    nameOf.set(cell.task, cell.taskName);
  }
  return {
    byTask,
    byAgent: new Map([...byTask.ofAgent].map(([agent, tasks]) => [agent, sumOf(tasks.values())])),
    byJob: sumBy(
      cells,
      ({ jobRowId }) => jobRowId,
      ({ nTrials }) => nTrials,
    ),
    byFamily: sumBy(
      byTask.all,
      ([task]) => findTaskFamily(nameOf.get(task) ?? task),
      ([, n]) => n,
    ),
  };
});

export function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const n of numbers) sum += n;
  return sum;
}
