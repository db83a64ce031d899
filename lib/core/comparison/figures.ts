import { prepareDifferenceAxis, type DifferenceAxis } from "@/lib/core/charts/difference-axis";
import {
  adjustTogether,
  computePairedComparison,
  computePassCurve,
  computePassDifference,
  countSuccesses,
  type PairedComparison,
  type PassCurve,
  type TaskValues,
  type Unavailable,
} from "@/lib/core/stats";

import {
  computeCertainty,
  type GroupCertainty,
  limitResamples,
  describeRunBounds,
  type CertaintyCells,
  describeCertainty,
} from "./certainty";
import { type CompareRule, type NamedRuns, readRecordedPassAtK } from "./run";
import { type PairReading, readPair } from "./sensitivity";
import { listSides, type Sides } from "./sides";
import { type ComparedTrial, listTaskValues } from "./trials";
import { describePair, type PairWords } from "./words";

export interface GroupFigures {
  readonly curve: PassCurve | Unavailable;
  readonly certainty: GroupCertainty;
  readonly cells: CertaintyCells;
  readonly recorded: ReadonlyMap<number, number>;
}

/** `first`, the candidate, minus `second`, the baseline. p-values and verdicts are adjusted for all pairs together. */
export interface PairFigures {
  readonly comparison: PairedComparison | Unavailable;
  readonly difference: PassCurve | Unavailable;
  readonly words: PairWords & {
    /** The interval for further runs too; null where neither side is a run set. */
    readonly runInterval: ReturnType<typeof describeRunBounds>;
  };
  readonly axis: DifferenceAxis | null;
  /** Only for a single pair, where a reading moves a trial; else empty. */
  readonly readings: readonly PairReading[];
}

export interface CompareFigures {
  readonly groups: readonly GroupFigures[];
  readonly pairs: readonly PairFigures[];
  readonly sides: readonly Sides[];
  readonly commonTasks: readonly string[];
  readonly allTasks: readonly string[];
}

export function computeFigures(
  chosen: readonly NamedRuns[],
  key: string,
  filter: CompareRule,
  sides: readonly Sides[] = listSides(chosen.length),
): CompareFigures {
  const values = chosen.map(({ trials }) => listScoredValues(trials, key));
  const taskSets = values.flatMap((tasks) =>
    tasks.length === 0 ? [] : [new Set(tasks.map(({ task }) => task))],
  );
  const allTasks = [...new Set(chosen.flatMap(({ trials }) => trials.map((trial) => trial.taskName)))];
  const commonTasks =
    taskSets.length === 0 ? [] : allTasks.filter((task) => taskSets.every((tasks) => tasks.has(task)));
  const isCommon = new Set(commonTasks);
  // Without a common task each group is still shown over its own.
  const ownTasks = filter.tasks === "own" || commonTasks.length === 0;
  const compared = values.map((tasks) => (ownTasks ? tasks : tasks.filter(({ task }) => isCommon.has(task))));
  const resamples = limitResamples(allTasks.length, chosen.length);
  const counts = compared.map((tasks) => countSuccesses(tasks, filter));
  const groups = chosen.map((group, index) => {
    const certainty = computeCertainty(
      group,
      compared[index] ?? [],
      key,
      filter,
      limitResamples(compared[index]?.length ?? 0, chosen.length),
    );
    return {
      curve: computePassCurve(counts[index] ?? [], { resamples }),
      certainty,
      cells: describeCertainty(certainty),
      // Harbor's own figures cover the trials that its own rule counts.
      recorded:
        group.scoring === undefined &&
        group.trials.every(({ rewards }) => rewards.size === 0 || (rewards.size === 1 && rewards.has(key)))
          ? readRecordedPassAtK(group)
          : new Map<number, number>(),
    };
  });
  const labels = chosen.map(({ label }) => label);
  const runs = groups.map(({ certainty }) => certainty.runToRun);
  const pairs = comparePairs(sides, labels, values, runs, filter);
  const [first, second, ...more] = chosen;
  const readings =
    first === undefined || second === undefined || more.length > 0 || taskSets.length < 2
      ? []
      : readPair([second, first], key, filter);
  return { groups, sides, pairs: pairs.map((pair) => ({ ...pair, readings })), commonTasks, allTasks };
}

/** Empty for a group without any reward, which has no leaderboard score either: missing rewards alone would have mean 0. */
function listScoredValues(trials: readonly ComparedTrial[], key: string): readonly TaskValues[] {
  const values = listTaskValues(trials, key);
  const isScored = values.some((task) => task.values.some((value) => !Number.isNaN(value ?? Number.NaN)));
  return isScored ? values : [];
}

function comparePairs(
  sides: readonly Sides[],
  labels: readonly string[],
  values: readonly (readonly TaskValues[])[],
  runs: readonly GroupCertainty["runToRun"][],
  filter: CompareRule,
): readonly Omit<PairFigures, "readings">[] {
  const nAdjusted = sides.length;
  const comparisons = adjustTogether(
    sides.map(({ a, b }) =>
      computePairedComparison(values[a] ?? [], values[b] ?? [], { missing: filter.missing, nAdjusted }),
    ),
  );
  const computed = comparisons.filter((one) => one.kind === "computed");
  return sides.map(({ a, b }, index) => {
    const isUnscored = [a, b].some((side) => values[side]?.length === 0);
    const comparison: PairFigures["comparison"] = isUnscored
      ? { kind: "unavailable", reason: "no-reward" }
      : (comparisons[index] ?? { kind: "unavailable", reason: "no-common-tasks" });
    const [left, right] = [countSuccesses(values[a] ?? [], filter), countSuccesses(values[b] ?? [], filter)];
    const resamples = limitResamples(left.length, labels.length);
    const difference = computePassDifference(left, right, { resamples });
    return {
      comparison,
      difference,
      words: {
        ...describePair({ first: labels[a] ?? "", second: labels[b] ?? "" }, comparison, difference),
        runInterval: describeRunBounds(comparison, [runs[a], runs[b]]),
      },
      axis: comparison.kind === "computed" ? prepareDifferenceAxis(comparison, computed) : null,
    };
  });
}

export function listPairs(
  groups: readonly Pick<NamedRuns, "label">[],
  { pairs, sides }: Pick<CompareFigures, "pairs" | "sides">,
): readonly (PairFigures & { readonly first: string; readonly second: string })[] {
  return pairs.map((pair, at) => {
    const { a, b } = sides[at] ?? { a: -1, b: -1 };
    return { ...pair, first: groups[a]?.label ?? "", second: groups[b]?.label ?? "" };
  });
}
