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
    return { value: null, basis: `Not shown: for one side, ${describeUnavailable(found.reason)}` };
  const own = known.some((side) => side.kind === "computed" && side.component > 0);
  return {
    value: formatDifferenceRange(found, comparison.isRate),
    basis: own
      ? `Also for further runs: adds the variance between runs, t with ${found.df.toFixed(1)} degrees of freedom`
      : "Also for further runs: adds nothing, since runs differ no more than by chance within tasks",
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
      `Standard deviation of ${formatPlural(nRuns, "run")} over ${formatPlural(nTasks, "common task")} (${runs}), compared with chance within tasks; ` +
      `between runs ${component === 0 ? "none visible" : size(component)}; ${test}`,
  };
}
