import type { CertaintyId } from "@/lib/core/format/certainty-words";
import {
  formatDifferenceRange,
  formatPlural,
  formatPValue,
  formatSize,
  formatCost,
  formatCount,
  formatMissingCosts,
  formatPercent,
  formatRange,
  formatReward,
} from "@/lib/core/format/number";
import {
  computeMeanErrors,
  computeMeanInterval,
  computeRatioInterval,
  computeReliability,
  computeRunToRun,
  countSuccesses,
  type RunToRun,
  type TaskValues,
  type Unavailable,
  computeRunBounds,
  describeUnavailable,
  type PairedComparison,
  type Basis,
  describeBasis,
  type ReliabilityFigure,
} from "@/lib/core/stats";

import type { CompareRule, NamedRuns } from "./run";
import { computeTrialSensitivity } from "./sensitivity";
import { groupByTask, listTaskValues, readRewardAt, type ComparedTrial } from "./trials";

/** Caps tasks drawn per interval, so that groups of tens of thousands of tasks do not delay the page. */
const MOST_DRAWS = 20_000_000;
const MOST_RESAMPLES = 10_000;

/** With more groups each takes fewer resamples, so that two dozen are ready within a second. */
const MOST_WHOLE = 6;
const FEWEST_RESAMPLES = 1000;

/**
 * Returns the resamples per interval: 10,000 up to 2,000 tasks and six groups, fewer beyond. Results and captions include the
 * number.
 */
export function limitResamples(nTasks: number, nGroups = 1): number {
  const most = Math.min(MOST_RESAMPLES, Math.ceil(MOST_DRAWS / Math.max(1, nTasks)));
  const share = Math.min(1, MOST_WHOLE / nGroups) ** 2;
  return Math.min(most, Math.max(FEWEST_RESAMPLES, Math.ceil(MOST_RESAMPLES * share)));
}

/** A table cell: a number, its interval, and the basis of both. `value` is null without a number. */
export interface CertaintyCell {
  readonly value: string | null;
  readonly range: string | null;
  readonly basis: string;
}

export type GroupCertainty = ReturnType<typeof computeCertainty>;

export function computeCertainty(
  { trials, contents }: Pick<NamedRuns, "trials" | "contents">,
  tasks: readonly TaskValues[],
  key: string,
  filter: Pick<CompareRule, "missing" | "threshold">,
  resamples: number,
) {
  const names = new Set(tasks.map(({ task }) => task));
  const own = trials.filter(({ taskName }) => names.has(taskName));
  return {
    mean: computeMeanInterval(tasks, filter),
    errors: computeMeanErrors(tasks, filter),
    reliability: computeReliability(countSuccesses(tasks, filter), { resamples }),
    sensitivity: computeTrialSensitivity(
      own.filter(({ counts }) => counts),
      key,
      filter,
    ),
    /** Trials that run, are missing or cannot be read. No figure includes them. */
    nUnfinished: own.filter(({ state }) => state !== "finished").length,
    /** `nMissingCosts` of `nAttempts` have an unknown cost or no result. */
    costPerSolve: computeCostPerSolve(own, key, filter.threshold, resamples),
    /** `one-run` for anything but a run set. */
    runToRun: computeRunToRun(
      contents
        .filter(({ counted }) => counted.length > 0)
        .map(({ counted }) => listTaskValues(counted, key).filter(({ task }) => names.has(task))),
      filter,
    ),
  };
}

/** Cost of all attempts at a task over its passes. An attempt of unknown cost or without a result excludes the task. */
function computeCostPerSolve(
  trials: readonly ComparedTrial[],
  key: string,
  threshold: number,
  resamples: number,
) {
  const ratios = [...groupByTask(trials)].map(([task, attempts]) => ({
    task,
    numerator: attempts.some(isCostMissing)
      ? null
      : attempts.reduce((sum, { tokens }) => sum + (tokens.costUsd ?? 0), 0),
    denominator: attempts.filter((trial) => {
      const reward = readRewardAt(trial, key);
      return trial.counts && reward !== null && reward >= threshold;
    }).length,
  }));
  return {
    ...computeRatioInterval(ratios, { resamples }),
    nMissingCosts: trials.filter(isCostMissing).length,
    nAttempts: trials.length,
  };
}

function isCostMissing({ state, tokens }: ComparedTrial): boolean {
  return state !== "finished" || tokens.costUsd === null;
}

export function describeRunBounds(
  comparison: PairedComparison | Unavailable,
  sides: readonly (RunToRun | Unavailable | undefined)[],
) {
  const known = sides.filter((side) => side !== undefined);
  if (comparison.kind === "unavailable" || comparison.bounds.kind === "unavailable") return null;
  if (known.every((side) => side.kind === "unavailable")) return null;
  const found = computeRunBounds(comparison.difference, comparison.bounds, known);
  if (found.kind === "unavailable")
    return { value: null, basis: `Not shown: for one side, ${describeUnavailable(found.reason)}` };
  const own = known.some((side) => side.kind === "computed" && side.component > 0);
  return {
    value: formatDifferenceRange(found, comparison.isRate),
    basis: own
      ? `Also for further runs: adds the variance between runs, t with ${found.df.toFixed(1)} degrees of freedom`
      : "Also for further runs: adds nothing, since runs differ no more than by chance within tasks",
  };
}

function describeRunToRun(found: RunToRun | Unavailable): CertaintyCell {
  if (found.kind === "unavailable") return formatUnavailable(found);
  const { means, spread, expected, component, p, nRuns, nTasks, isRate } = found;
  const unit = isRate ? " points" : "";
  const size = (value: number) => `${formatSize(value, isRate)}${unit}`;
  const runs = means.map((mean) => (isRate ? (mean * 100).toFixed(1) : mean.toFixed(3))).join(", ");
  const test = p === null ? "nothing varies" : `p ${formatPValue(p)}, F test of two-way analysis of variance`;
  return {
    value: size(spread),
    range: `${size(expected)} by chance${p === null ? "" : `, p ${formatPValue(p)}`}`,
    basis:
      `Standard deviation of ${formatPlural(nRuns, "run")} over ${formatPlural(nTasks, "common task")} (${runs}), compared with chance within tasks; ` +
      `between runs ${component === 0 ? "none visible" : size(component)}; ${test}`,
  };
}

export type CertaintyCells = Readonly<Record<CertaintyId, CertaintyCell>>;

export function describeCertainty(certainty: GroupCertainty): CertaintyCells {
  const { mean, errors, reliability, costPerSolve } = certainty;
  const ofOneTask = mean.kind === "computed" && mean.nTasks === 1;
  const consistency = reliability.kind === "computed" ? reliability.consistency : reliability;
  return {
    mean:
      mean.kind === "unavailable"
        ? formatUnavailable(mean)
        : {
            value: formatReward(mean.mean),
            ...(ofOneTask
              ? { range: null, basis: "No interval: one task says nothing about others" }
              : formatBounds(mean.bounds, formatReward, mean)),
          },
    rerunMean: describeRerunMean(certainty),
    runToRun: describeRunToRun(certainty.runToRun),
    effectiveN: describeEffectiveN(errors),
    solveRates: describeSolveRates(reliability),
    consistency:
      consistency.kind === "unavailable"
        ? formatUnavailable(consistency)
        : {
            value: formatPercent(consistency.value),
            ...describeConsistency(consistency, reliability),
          },
    missing: describeMissing(certainty),
    costPerSolve: describeCost(costPerSolve),
  };
}

/** Every task weighs the same, so that unequal numbers of attempts do not count. */
function describeRerunMean({ mean, errors }: GroupCertainty): CertaintyCell {
  if (mean.kind === "computed" && mean.nTasks === 1) {
    return { value: formatReward(mean.macroMean), ...formatBounds(mean.bounds, formatReward, mean) };
  }
  if (errors.kind === "unavailable") return formatUnavailable(errors);
  return {
    value: formatReward(errors.macroMean),
    // The design effect applies to new tasks only.
    ...formatBounds(errors.sameTasks, formatReward, { ...errors, designEffect: null }),
  };
}

function describeEffectiveN(errors: GroupCertainty["errors"]): CertaintyCell {
  if (errors.kind === "unavailable") return formatUnavailable(errors);
  const { effectiveN, designEffect, n, nTasks } = errors;
  if (effectiveN === null) {
    const basis = "Not shown: it cannot be estimated, since no task differs from another";
    return { value: null, range: null, basis };
  }
  const rounded = formatCount(Math.round(effectiveN));
  const effect = `Design effect ${designEffect.toFixed(2)}`;
  const words =
    n === nTasks
      ? "one attempt per task, each counts in full"
      : designEffect > 1
        ? `attempts at a task resemble each other, so ${formatPlural(n, "trial")} are as informative as ${rounded} independent ones`
        : `attempts at one task differ as much as attempts at different tasks`;
  return { value: rounded, range: `of ${formatCount(n)}`, basis: `${effect}: ${words}` };
}

function describeConsistency(
  consistency: ReliabilityFigure,
  reliability: GroupCertainty["reliability"],
): Pick<CertaintyCell, "range" | "basis"> {
  if (reliability.kind === "unavailable") return formatUnavailable(reliability);
  const { range, basis } = formatBounds(consistency.bounds, (value) => (value * 100).toFixed(1), {
    nTasks: reliability.nRepeated,
  });
  const chance = formatPercent(reliability.consistencyByChance);
  return { range, basis: `${basis}; two attempts at different tasks would agree in ${chance}` };
}

type Bounds =
  | Unavailable
  | (Basis & { readonly kind: "computed"; readonly low: number; readonly high: number });

function formatBounds(
  bounds: Bounds,
  format: (value: number) => string,
  around: Basis = {},
): Pick<CertaintyCell, "range" | "basis"> {
  if (bounds.kind === "unavailable")
    return { range: null, basis: `No interval: ${describeUnavailable(bounds.reason)}` };
  return {
    range: formatRange(bounds, format),
    basis:
      bounds.estimand === "new-rows"
        ? describeBasis({ estimand: "new-tasks" }, bounds, around)
        : describeBasis(bounds, around),
  };
}

function formatUnavailable({ reason }: Unavailable): CertaintyCell {
  return { value: null, range: null, basis: `Not shown: ${describeUnavailable(reason)}` };
}

/** With fewer tasks intervals of skewed costs undercover slightly: `lib/core/stats/README.md`. */
const FEWEST_FOR_COST = 50;

function describeCost(cost: GroupCertainty["costPerSolve"]): CertaintyCell {
  const missing = formatMissingCosts(cost.nMissingCosts, cost.nAttempts);
  if (cost.kind === "unavailable") return { ...formatUnavailable(cost), range: missing };
  const bounds = formatBounds(cost.bounds, formatCost, cost);
  const { range } = bounds;
  const isNarrow = range !== null && cost.nTasks < FEWEST_FOR_COST;
  const basis = isNarrow ? `${bounds.basis}; with so few tasks it may be too narrow` : bounds.basis;
  const value = formatCost(cost.ratio);
  if (missing === null) return { value, range, basis };
  return {
    value,
    range: range === null ? missing : `${range}, ${missing}`,
    basis: `${basis}; tasks with an attempt of unknown cost or without a result are excluded, and may be the more expensive ones`,
  };
}

function describeSolveRates(reliability: GroupCertainty["reliability"]): CertaintyCell {
  if (reliability.kind === "unavailable") return formatUnavailable(reliability);
  const { always, sometimes, never } = reliability;
  if (always.kind === "unavailable") return formatUnavailable(always);
  const shares = { "every time": always, sometimes, never };
  const counted = Object.entries(shares).flatMap(([word, share]) =>
    share.kind === "computed" ? [{ word, ...share }] : [],
  );
  const words = counted.map(
    ({ word, ...share }) =>
      `${word} ${formatPercent(share.rate)}, ${formatRange(share, (value) => (value * 100).toFixed(1))}`,
  );
  const { level, method, n: nTasks } = always;
  return {
    value: counted.map(({ count }) => formatCount(count)).join(", "),
    range: null,
    basis: `${words.join("; ")}: ${describeBasis({ estimand: "new-tasks" }, { level, method, nTasks })}`,
  };
}

function describeMissing({
  sensitivity,
  nUnfinished,
}: Pick<GroupCertainty, "sensitivity" | "nUnfinished">): CertaintyCell {
  const unfinished =
    nUnfinished === 0
      ? []
      : [`${formatPlural(nUnfinished, "trial")} without a readable result are excluded here`];
  if (sensitivity.kind === "unavailable") return formatUnavailable(sensitivity);
  const { nMissing, readings } = sensitivity;
  if (nMissing === 0) {
    const basis = ["Every finished trial has a reward", ...unfinished].join("; ");
    return { value: "0", range: nUnfinished === 0 ? null : `${formatCount(nUnfinished)} unfinished`, basis };
  }
  const [lowest, highest] = [readings.lowest.result, readings.highest.result];
  const hasEnds = lowest.kind === "computed" && highest.kind === "computed";
  return {
    value: formatCount(nMissing),
    range: hasEnds ? `${formatReward(lowest.mean)} if 0, ${formatReward(highest.mean)} if 1` : null,
    basis: [
      hasEnds
        ? "Mean of the same trials with all missing rewards 0 or all 1, without an interval"
        : "Rewards are not from 0 to 1, so missing ones have no bounds",
      ...unfinished,
    ].join("; "),
  };
}
