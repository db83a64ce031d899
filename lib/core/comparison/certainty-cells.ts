import type { CertaintyId } from "@/lib/core/format/certainty-words";
import {
  formatCost,
  formatCount,
  formatMissingCosts,
  formatPercent,
  formatPlural,
  formatRange,
  formatReward,
} from "@/lib/core/format/number";
import {
  type Basis,
  describeBasis,
  describeUnavailable,
  type ReliabilityFigure,
  type Unavailable,
} from "@/lib/core/stats";

import type { CertaintyCell, GroupCertainty } from "./certainty";
import { describeRunToRun } from "./run-words";

export type CertaintyCells = Readonly<Record<CertaintyId, CertaintyCell>>;

export function describeCertainty(certainty: GroupCertainty): CertaintyCells {
  const { mean, errors, reliability, costPerSolve } = certainty;
  const ofOneTask = mean.kind === "computed" && mean.nTasks === 1;
  const consistency = reliability.kind === "computed" ? reliability.consistency : reliability;
  return {
    mean:
      mean.kind === "unavailable"
        ? sayWhy(mean)
        : {
            value: formatReward(mean.mean),
            ...(ofOneTask
              ? { range: null, basis: "No interval: one task says nothing about others" }
              : sayBounds(mean.bounds, formatReward, mean)),
          },
    rerunMean: describeRerunMean(certainty),
    runToRun: describeRunToRun(certainty.runToRun),
    effectiveN: describeEffectiveN(errors),
    solveRates: describeSolveRates(reliability),
    consistency:
      consistency.kind === "unavailable"
        ? sayWhy(consistency)
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
    return { value: formatReward(mean.macroMean), ...sayBounds(mean.bounds, formatReward, mean) };
  }
  if (errors.kind === "unavailable") return sayWhy(errors);
  return {
    value: formatReward(errors.macroMean),
    // The design effect applies to new tasks only.
    ...sayBounds(errors.sameTasks, formatReward, { ...errors, designEffect: null }),
  };
}

function describeEffectiveN(errors: GroupCertainty["errors"]): CertaintyCell {
  if (errors.kind === "unavailable") return sayWhy(errors);
  const { effectiveN, designEffect, n, nTasks } = errors;
  if (effectiveN === null) {
    return {
      value: null,
      range: null,
      basis: "Not shown: it cannot be estimated, since no task differs from another",
    };
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
  if (reliability.kind === "unavailable") return sayWhy(reliability);
  const { range, basis } = sayBounds(consistency.bounds, (value) => (value * 100).toFixed(1), {
    nTasks: reliability.nRepeated,
  });
  const chance = formatPercent(reliability.consistencyByChance);
  return { range, basis: `${basis}; two attempts at different tasks would agree in ${chance}` };
}

type Bounds =
  | Unavailable
  | (Basis & { readonly kind: "computed"; readonly low: number; readonly high: number });

function sayBounds(
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

function sayWhy({ reason }: Unavailable): CertaintyCell {
  return { value: null, range: null, basis: `Not shown: ${describeUnavailable(reason)}` };
}

/** With fewer tasks intervals of skewed costs undercover slightly: `lib/core/stats/README.md`. */
const FEWEST_FOR_COST = 50;

function describeCost(cost: GroupCertainty["costPerSolve"]): CertaintyCell {
  const missing = formatMissingCosts(cost.nMissingCosts, cost.nAttempts);
  if (cost.kind === "unavailable") return { ...sayWhy(cost), range: missing };
  const bounds = sayBounds(cost.bounds, formatCost, cost);
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
  if (reliability.kind === "unavailable") return sayWhy(reliability);
  const { always, sometimes, never } = reliability;
  const counted = [always, sometimes, never].flatMap((share) => (share.kind === "computed" ? [share] : []));
  if (counted.length < 3)
    return sayWhy(always.kind === "unavailable" ? always : { kind: "unavailable", reason: "no-values" });
  const words = ["every time", "sometimes", "never"].map((word, index) => {
    const share = counted[index];
    return share === undefined
      ? word
      : `${word} ${formatPercent(share.rate)}, ${formatRange(share, (value) => (value * 100).toFixed(1))}`;
  });
  return {
    value: counted.map(({ count }) => formatCount(count)).join(", "),
    range: null,
    basis: `${words.join("; ")}: ${counted[0] === undefined ? "" : describeBasis({ estimand: "new-tasks" }, { level: counted[0].level, method: counted[0].method, nTasks: counted[0].n })}`,
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
  if (sensitivity.kind === "unavailable") return sayWhy(sensitivity);
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
