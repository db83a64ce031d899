import { formatDifferenceRange, formatPlural, formatPValue, formatSize } from "@/lib/core/format/number";
import {
  computeRunBounds,
  describeUnavailable,
  type PairedComparison,
  type RunToRun,
  type Unavailable,
} from "@/lib/core/stats";

import type { CertaintyCell } from "./certainty";

export interface RunInterval {
  readonly value: string | null;
  readonly basis: string;
}

export function describeRunBounds(
  comparison: PairedComparison | Unavailable,
  sides: readonly (RunToRun | Unavailable | undefined)[],
): RunInterval | null {
  const known = sides.filter((side) => side !== undefined);
  if (comparison.kind === "unavailable" || comparison.bounds.kind === "unavailable") return null;
  if (known.every((side) => side.kind === "unavailable")) return null;
  const found = computeRunBounds(comparison.difference, comparison.bounds, known);
  if (found.kind === "unavailable")
    return { value: null, basis: `Not shown: of one side ${describeUnavailable(found.reason)}` };
  const own = known.some((side) => side.kind === "computed" && side.component > 0);
  return {
    value: formatDifferenceRange(found, comparison.isRate),
    basis: own
      ? `For further runs as well: the variance that runs have of their own is added, t with ${found.df.toFixed(1)} degrees of freedom`
      : "For further runs as well: runs differ no more than chance inside tasks makes them, so nothing is added",
  };
}

export function describeRunToRun(found: RunToRun | Unavailable): CertaintyCell {
  if (found.kind === "unavailable")
    return { value: null, range: null, basis: `Not shown: ${describeUnavailable(found.reason)}` };
  const { means, spread, expected, component, p, nRuns, nTasks, isRate } = found;
  const unit = isRate ? " points" : "";
  const size = (value: number) => `${formatSize(value, isRate)}${unit}`;
  const runs = means.map((mean) => (isRate ? (mean * 100).toFixed(1) : mean.toFixed(3))).join(", ");
  const test = p === null ? "nothing varies" : `p ${formatPValue(p)}, F test of two-way analysis of variance`;
  return {
    value: size(spread),
    range: `${size(expected)} by chance${p === null ? "" : `, p ${formatPValue(p)}`}`,
    basis:
      `Standard deviation of ${formatPlural(nRuns, "run")} over ${formatPlural(nTasks, "common task")} (${runs}), beside what chance inside tasks gives; ` +
      `of their own runs have ${component === 0 ? "none that shows" : size(component)}; ${test}`,
  };
}
