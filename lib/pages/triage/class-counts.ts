import "server-only";
import { createGroupMaker } from "@/lib/core/domain/group-maker";
import { oncePer } from "@/lib/core/domain/once-per";
import { sumBy } from "@/lib/core/domain/sum-by";
import type { FailureClass } from "@/lib/core/triage/classes";

import type { Failure } from "./parts";
import { TaskCounts } from "./tried";

export interface ClassCount {
  readonly n: number;
  readonly byAgent: ReadonlyMap<string, number>;
  readonly finished: TaskCounts;
}

type ClassCounts = ReadonlyMap<FailureClass, ClassCount>;

const counterOf = oncePer((all: readonly Failure[]) =>
  createGroupMaker(all, ({ failureClass }) => failureClass, countClass),
);

/** Counts failures by class. A class that a filter leaves unchanged is counted once for all filters. */
export function countClasses(all: readonly Failure[], failures: readonly Failure[]): ClassCounts {
  return counterOf(all)(failures);
}

function countClass(failures: readonly Failure[]): ClassCount {
  const finished = new TaskCounts();
  for (const failure of failures) if (failure.isFinished) finished.add(failure, 1);
  return {
    n: failures.length,
    byAgent: sumBy(failures, ({ agentModel }) => agentModel),
    finished,
  };
}

export function addClasses<Name>(
  counts: ClassCounts,
  numbersOf: (count: ClassCount, failureClass: FailureClass) => Iterable<readonly [Name, number]>,
): ReadonlyMap<Name, number> {
  return sumBy(
    [...counts].flatMap(([failureClass, count]) => [...numbersOf(count, failureClass)]),
    ([name]) => name,
    ([, n]) => n,
  );
}
