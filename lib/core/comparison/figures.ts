import { prepareDifferenceAxis, type DifferenceAxis } from "@/lib/core/charts/difference-axis";
import {
  adjustTogether,
  computePairedComparison,
  computePassAtK,
  computePassCurve,
  computePassDifference,
  computePassHatK,
  countSuccesses,
  type CurveValue,
  type PairedComparison,
  type PassCurve,
  type TaskCounts,
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
import { describePair, isOfMeans, type PairWords } from "./words";

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
  /** Only for a single pair, where it adds to the mean; else empty. */
  readonly solving: readonly SolvingFigure[];
}

/**
 * pass@k or pass^k at the largest k that every task of both allows, compared like the mean: each task weighs the same. The interval is
 * that of the curve of differences.
 */
export interface SolvingFigure {
  readonly measure: "passHatK" | "passAtK";
  readonly k: number;
  readonly comparison: Omit<PairedComparison, "bounds"> & { readonly bounds: CurveValue["band"] };
  /** Null without an interval. */
  readonly p: number | null;
  readonly isClear: boolean;
}

export type CompareFigures = ReturnType<typeof computeFigures>;

export function computeFigures(
  chosen: readonly NamedRuns[],
  key: string,
  filter: CompareRule,
  sides: readonly Sides[] = listSides(chosen.length),
) {
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
  const countAt = (at = -1) => countSuccesses(values[at] ?? [], filter);
  const [side, ...others] = sides;
  const addSolving = (pair: Omit<PairFigures, "solving">): PairFigures => ({
    ...pair,
    solving: others.length > 0 ? [] : compareSolving(countAt(side?.a), countAt(side?.b), pair),
  });
  return {
    groups,
    sides,
    pairs: pairs.map((pair) => addSolving({ ...pair, readings })),
    commonTasks,
    allTasks,
  };
}

const SOLVING = [
  ["passHatK", computePassHatK],
  ["passAtK", computePassAtK],
] as const;

/** Empty where single attempts make both the difference of means. */
function compareSolving(
  candidate: readonly TaskCounts[],
  baseline: readonly TaskCounts[],
  { comparison: ofMean, difference }: Pick<PairFigures, "comparison" | "difference">,
): readonly SolvingFigure[] {
  const points = difference.kind === "computed" ? difference.points : [];
  const point = points.findLast(({ nTasks }) => nTasks === points[0]?.nTasks);
  if (point === undefined || ofMean.kind === "unavailable") return [];
  const { k } = point;
  if (k === 1 && isOfMeans(point.passAtK, ofMean)) return [];
  // With single attempts both measures are the share of tasks passed.
  return (k === 1 ? SOLVING.slice(1) : SOLVING).flatMap(([measure, compute]): SolvingFigure[] => {
    const list = (tasks: readonly TaskCounts[]) =>
      tasks.map(({ task, n, c }) => ({ task, values: [compute(n, c, k)] }));
    const tested = computePairedComparison(list(candidate), list(baseline), { missing: "exclude" });
    if (tested.kind === "unavailable") return [];
    const { band } = point[measure];
    const p = tested.bounds.kind === "computed" ? tested.bounds.p : null;
    const excludesZero = band.kind === "computed" && (band.low > 0 || band.high < 0);
    return [
      { measure, k, comparison: { ...tested, bounds: band }, p, isClear: excludesZero && (p ?? 1) < 0.05 },
    ];
  });
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
): readonly Omit<PairFigures, "readings" | "solving">[] {
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
