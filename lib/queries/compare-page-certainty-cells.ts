import "server-only";

import { formatCost, formatCount, formatPercent, formatPlural, formatReward } from "@/lib/format/number";
import { type Basis, describeBasis, describeUnavailable, type Unavailable } from "@/lib/stats";

import type { GroupCertainty, MissingReach } from "./compare-page-certainty";

/** One number of the table with its interval, and what both rest on; `value` is null where there is none. */
export interface CertaintyCell {
  readonly value: string | null;
  /** Its interval or what belongs beside it; null without one. */
  readonly range: string | null;
  /** Method, estimand, counts and seed; or why there is no value. */
  readonly basis: string;
}

/** The columns of the table. */
export const CERTAINTY_COLUMNS = [
  "mean",
  "again",
  "worth",
  "steady",
  "alike",
  "missing",
  "costPerSolve",
] as const;

/** A group's row. */
export type CertaintyCells = Readonly<Record<(typeof CERTAINTY_COLUMNS)[number], CertaintyCell>>;

/** How sure a group's figures are, as text for one row. */
export function describeCertainty(certainty: GroupCertainty): CertaintyCells {
  const { mean, errors, reliability, missing, costPerSolve } = certainty;
  const consistency = reliability.kind === "computed" ? reliability.consistency : reliability;
  return {
    mean:
      mean.kind === "unavailable"
        ? sayWhy(mean)
        : {
            value: formatReward(mean.mean),
            ...sayBounds(mean.bounds, formatReward, mean),
          },
    again:
      errors.kind === "unavailable"
        ? sayWhy(errors)
        : {
            value: formatReward(errors.macroMean),
            // What clustering costs is a matter of new tasks.
            ...sayBounds(errors.sameTasks, formatReward, { ...errors, designEffect: null }),
          },
    worth:
      errors.kind === "unavailable"
        ? sayWhy(errors)
        : {
            value: formatCount(Math.round(errors.effectiveN)),
            range: `of ${formatCount(errors.n)}`,
            basis: `Design effect ${errors.designEffect.toFixed(2)}: attempts at a task resemble each other, so ${formatPlural(errors.n, "trial")} say as much as ${formatCount(Math.round(errors.effectiveN))} independent ones`,
          },
    steady: describeSteady(reliability),
    alike:
      consistency.kind === "unavailable"
        ? sayWhy(consistency)
        : {
            value: formatPercent(consistency.value),
            ...sayBounds(consistency.bounds, (value) => (value * 100).toFixed(1)),
          },
    missing: describeMissing(missing),
    costPerSolve: describeCost(costPerSolve),
  };
}

type Bounds =
  Unavailable | (Basis & { readonly kind: "computed"; readonly low: number; readonly high: number });

function sayBounds(
  bounds: Bounds,
  format: (value: number) => string,
  around: Basis = {},
): Pick<CertaintyCell, "range" | "basis"> {
  if (bounds.kind === "unavailable")
    return { range: null, basis: `No interval: ${describeUnavailable(bounds.reason)}` };
  return {
    range: `${format(bounds.low)} to ${format(bounds.high)}`,
    basis: describeBasis(bounds, around),
  };
}

function sayWhy({ reason }: Unavailable): CertaintyCell {
  return { value: null, range: null, basis: `Not shown: ${describeUnavailable(reason)}` };
}

function describeCost(cost: GroupCertainty["costPerSolve"]): CertaintyCell {
  if (cost.kind === "unavailable") return sayWhy(cost);
  const { range, basis } = sayBounds(cost.bounds, formatCost, cost);
  const value = formatCost(cost.ratio);
  if (cost.nUnknown === 0) return { value, range, basis };
  const unknown = `${formatPlural(cost.nUnknown, "task")} unknown`;
  return {
    value,
    range: range === null ? unknown : `${range}, ${unknown}`,
    basis: `${basis}; tasks with an attempt of unknown cost are left out whole`,
  };
}

function describeSteady(reliability: GroupCertainty["reliability"]): CertaintyCell {
  if (reliability.kind === "unavailable") return sayWhy(reliability);
  const { always, sometimes, never } = reliability;
  const counted = [always, sometimes, never].flatMap((share) => (share.kind === "computed" ? [share] : []));
  if (counted.length < 3)
    return sayWhy(always.kind === "unavailable" ? always : { kind: "unavailable", reason: "no-values" });
  const words = ["always", "sometimes", "never"].map((word, index) => {
    const share = counted[index];
    return share === undefined
      ? word
      : `${word} ${formatPercent(share.rate)}, ${(share.low * 100).toFixed(1)} to ${(share.high * 100).toFixed(1)}`;
  });
  return {
    value: counted.map(({ count }) => formatCount(count)).join(", "),
    range: null,
    basis: `${words.join("; ")}: ${counted[0] === undefined ? "" : describeBasis(counted[0])}`,
  };
}

function describeMissing({ nMissing, ends, readings }: MissingReach): CertaintyCell {
  if (nMissing === 0) return { value: "0", range: null, basis: "Every finished trial has a reward" };
  return {
    value: formatCount(nMissing),
    range: ends === null ? null : `${formatReward(ends.lowest)} to ${formatReward(ends.highest)}`,
    basis: [
      ends === null
        ? "Rewards are no shares, so missing ones have no ends"
        : "The mean with all of them at 0 and with all at 1",
      ...readings.map(({ words, mean }) => `${words}: ${formatReward(mean)}`),
    ].join("; "),
  };
}
