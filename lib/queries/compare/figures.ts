import "server-only";

import { LRUCache } from "lru-cache";

import { prepareDifferenceAxis, type DifferenceAxis } from "@/lib/charts/difference-axis";
import type { CompareFilter } from "@/lib/addresses/compare";
import {
  computePairedComparison,
  computePassCurve,
  computePassDifference,
  countSuccesses,
  type PairedComparison,
  type PassCurve,
  type TaskValues,
  type Unavailable,
} from "@/lib/stats";

import { computeCertainty, type GroupCertainty, limitResamples } from "./certainty";
import { type CertaintyCells, describeCertainty } from "./certainty-cells";
import { listTaskValues, readRecordedPassAtK, type ChosenGroup } from "./groups";
import { describePair, type PairWords } from "./words";

/** Figures of one group over the tasks that the curves are over. */
export interface GroupFigures {
  readonly curve: PassCurve | Unavailable;
  readonly certainty: GroupCertainty;
  /** `certainty` as text. */
  readonly cells: CertaintyCells;
  readonly recorded: ReadonlyMap<number, number>;
}

/** Figures of two groups side by side, `first` minus `second` throughout, all adjusted for the number of pairs. */
export interface PairFigures {
  readonly comparison: PairedComparison | Unavailable;
  readonly difference: PassCurve | Unavailable;
  /** Both as text. */
  readonly words: PairWords;
  readonly axis: DifferenceAxis | null;
}

/** What a comparison computes: of each group, and of the first group with each of the others. */
export interface CompareFigures {
  readonly groups: readonly GroupFigures[];
  /** One for each group but the first. */
  readonly pairs: readonly PairFigures[];
  readonly commonTasks: readonly string[];
  readonly allTasks: readonly string[];
}

/** By what was chosen and how it is compared. Versions are never used twice, so that no entry can be out of date. */
const kept = new LRUCache<string, CompareFigures, () => CompareFigures>({
  max: 40,
  memoMethod: (_key, _old, { context }) => context(),
});

/** Figures that need resampling, kept while the jobs stay as they are: sorting and choosing k then cost nothing. */
export function getFigures(
  chosen: readonly ChosenGroup[],
  key: string,
  filter: CompareFilter,
): CompareFigures {
  const name = JSON.stringify([
    chosen.map(({ id, job, label }) => [id, job.version, label]),
    key,
    filter.threshold,
    filter.missing,
    filter.tasks,
  ]);
  return kept.memo(name, { context: () => computeFigures(chosen, key, filter) });
}

function computeFigures(chosen: readonly ChosenGroup[], key: string, filter: CompareFilter): CompareFigures {
  const values = chosen.map(({ trials }) => listTaskValues(trials, key));
  const taskSets = values.map((tasks) => new Set(tasks.map(({ task }) => task)));
  const allTasks = [...new Set(chosen.flatMap(({ trials }) => trials.map((trial) => trial.taskName)))];
  const commonTasks = allTasks.filter((task) => taskSets.every((tasks) => tasks.has(task)));
  const isCommon = new Set(commonTasks);
  // Without a common task each group is still worth seeing over its own.
  const ownTasks = filter.tasks === "own" || commonTasks.length === 0;
  const compared = values.map((tasks) => (ownTasks ? tasks : tasks.filter(({ task }) => isCommon.has(task))));
  const resamples = limitResamples(allTasks.length);
  const counts = compared.map((tasks) => countSuccesses(tasks, filter));
  const groups = chosen.map((group, index) => {
    const certainty = computeCertainty(group.trials, compared[index] ?? [], key, filter);
    return {
      curve: computePassCurve(counts[index] ?? [], { resamples }),
      certainty,
      cells: describeCertainty(certainty),
      recorded: group.trials.every(
        ({ rewards }) => rewards === null || (rewards.size === 1 && rewards.has(key)),
      )
        ? readRecordedPassAtK(group)
        : new Map<number, number>(),
    };
  });
  const labels = chosen.map(({ label }) => label);
  return { groups, pairs: comparePairs(labels, values, filter), commonTasks, allTasks };
}

/** Which groups a pair reads: a pair alone from the first chosen, several from each of the others. */
export function listSides(nGroups: number): readonly { readonly a: number; readonly b: number }[] {
  if (nGroups === 2) return [{ a: 0, b: 1 }];
  return Array.from({ length: Math.max(0, nGroups - 1) }, (_, index) => ({ a: index + 1, b: 0 }));
}

function comparePairs(
  labels: readonly string[],
  values: readonly (readonly TaskValues[])[],
  filter: CompareFilter,
): readonly PairFigures[] {
  const sides = listSides(labels.length);
  const nComparisons = sides.length;
  const comparisons = sides.map(({ a, b }) =>
    computePairedComparison(values[a] ?? [], values[b] ?? [], { missing: filter.missing, nComparisons }),
  );
  const computed = comparisons.filter((one) => one.kind === "computed");
  return sides.map(({ a, b }, index) => {
    const comparison = comparisons[index] ?? { kind: "unavailable", reason: "no-common-tasks" };
    const [left, right] = [countSuccesses(values[a] ?? [], filter), countSuccesses(values[b] ?? [], filter)];
    const resamples = limitResamples(left.length);
    const difference = computePassDifference(left, right, { resamples, nComparisons });
    return {
      comparison,
      difference,
      words: describePair({ first: labels[a] ?? "", second: labels[b] ?? "" }, comparison, difference),
      axis: comparison.kind === "computed" ? prepareDifferenceAxis(comparison, computed) : null,
    };
  });
}
