import type { ChartGroup } from "@/lib/core/charts/chart-group";
import { type CurveChart, LEVEL_SCALE, prepareCurveChart } from "@/lib/core/charts/curve-chart";
import type { ComparedGroups } from "@/lib/core/comparison";

export function identifyGroups(groups: ComparedGroups["groups"]): readonly ChartGroup[] {
  return groups.map(({ label }, at) => ({ id: String(at), label, identity: at + 1, variant: 0 }));
}

/** Prepares pass@k and pass^k of every group, or the single share where no task has a second attempt. */
export function prepareReportCharts(
  { figures }: ComparedGroups,
  chartGroups: readonly ChartGroup[],
): readonly CurveChart[] {
  const inputs = figures.groups.flatMap(({ curve, recorded }, at) => {
    const group = chartGroups[at];
    return group === undefined ? [] : [{ group, curve, recorded }];
  });
  const curves = figures.groups.flatMap(({ curve }) => (curve.kind === "computed" ? [curve] : []));
  if (curves.length === 0) return [];
  const frame = { chosenK: null, scale: LEVEL_SCALE };
  if (curves.every(({ points }) => points.length === 1)) {
    const words = { id: "passAtK", title: "pass@1", note: "share of tasks passed" };
    return [prepareCurveChart(inputs, { ...frame, ...words, measure: "passAtK" })];
  }
  const once = { id: "passAtK", title: "pass@k", note: "at least one of k attempts passes" };
  const always = { id: "passHatK", title: "pass^k", note: "all k attempts pass" };
  // Harbor records pass@k only.
  const bare = inputs.map((input) => ({ ...input, recorded: new Map<number, number>() }));
  return [
    prepareCurveChart(inputs, { ...frame, ...once, measure: "passAtK" }),
    prepareCurveChart(bare, { ...frame, ...always, measure: "passHatK" }),
  ];
}
