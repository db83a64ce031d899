import "server-only";

import type { CurveChart } from "@/lib/charts/curve-chart";
import type { CompareFilter } from "@/lib/domain/compare-filter";
import { formatCount, formatPlural } from "@/lib/format/number";
import { type CurveBand, describeUnavailable } from "@/lib/stats";

import type { GroupFigures } from "./figures";
import type { ChosenGroup } from "./groups";

interface CaptionedFigures {
  readonly groups: readonly (ChosenGroup & GroupFigures)[];
  readonly charts: readonly CurveChart[];
  readonly ks: readonly number[];
  readonly key: string;
  readonly nCommon: number;
}

/** Where a band is not resampled, in words. */
const BAND_EXCEPTIONS: readonly (readonly [CurveBand["method"], string])[] = [
  ["cluster-t", "at k = 1, the t interval of the mean"],
  ["paired-t", "at k = 1 of a difference, the paired t interval of the mean"],
  ["cluster-wilson", "where few pass or few fail, Wilson's interval of the effective sample"],
  ["agresti-min", "where fewer than ten tasks differ, Agresti and Min's interval"],
  ["one-sided", "where all tasks agree, the exact bound"],
  ["exact-bound", "where all tasks agree, the exact bound"],
  ["clopper-pearson", "where all tasks have the same share, Clopper and Pearson's interval"],
];

/** Key, threshold, missing rule, tasks, method and seed of the curves, in sentences. */
export function describeMethod(comparison: CaptionedFigures, params: CompareFilter): string {
  const curve = comparison.groups.map((group) => group.curve).find((one) => one.kind === "computed");
  if (curve?.kind !== "computed") return "";
  const missing = params.missing === "zero" ? "missing rewards count as 0" : "missing rewards excluded";
  const isOwn = params.tasks === "own" || comparison.nCommon === 0;
  const over = isOwn ? "each group's own tasks" : formatPlural(curve.nTasks, "common task");
  const methods = new Set(
    comparison.charts.flatMap(({ series }) =>
      series.flatMap(({ runs }) => runs.flat().map(({ method }) => method)),
    ),
  );
  const exceptions = new Set(
    BAND_EXCEPTIONS.filter(([method]) => methods.has(method)).map(([, words]) => words),
  );
  const hasRecorded = comparison.groups.some((group) => group.recorded.size > 0);
  return [
    `Reward key ${comparison.key}, passed at ${params.threshold} or more, ${missing}; mean over ${over}.`,
    `Bands: 95 %, pointwise, percentiles of ${formatCount(curve.resamples)} bootstrap samples of tasks with all their attempts,`,
    `paired for differences, ${curve.generator} seed ${[String(curve.seed), ...exceptions].join("; ")}.`,
    hasRecorded ? "Rings: pass@k that Harbor recorded over all tasks of the group." : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** How many tasks each k rests on, and that nothing is extrapolated. */
export function describeCoverage(comparison: CaptionedFigures): string {
  const counted = comparison.groups.map(({ label, curve }) => {
    if (curve.kind === "unavailable") return `${label}: no curve, ${describeUnavailable(curve.reason)}`;
    const steps = curve.points.filter((point, index) => curve.points[index - 1]?.nTasks !== point.nTasks);
    const text = steps.map((point) => `${point.nTasks} of ${curve.nTasks} from k = ${point.k}`).join(", ");
    return steps.length === 1 ? null : `${label}: ${text}`;
  });
  const uneven = counted.filter((text) => text !== null);
  const maxK = comparison.ks.at(-1) ?? 0;
  if (uneven.length > 0) return `Tasks with at least k attempts: ${uneven.join("; ")}. No k is extrapolated.`;
  const lengths = new Set(
    comparison.groups.map(({ curve }) => (curve.kind === "computed" ? curve.points.at(-1)?.k : 0)),
  );
  return lengths.size === 1
    ? `All tasks have ${formatPlural(maxK, "attempt")}, so no k is extrapolated.`
    : "Each curve ends at its own number of attempts; no k is extrapolated.";
}
