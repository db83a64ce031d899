import "server-only";
import type { ChartGroup } from "@/lib/core/charts/chart-group";
import { type CurveInput, listMeasures, prepareCurveChart } from "@/lib/core/charts/curve-chart";
import type { GroupFigures, PairFigures } from "@/lib/core/comparison";
import { MAX_COLOURED } from "@/lib/core/domain/compare-filter";
import { formatDifferenceRange, formatPoints } from "@/lib/core/format/number";
import type { CurveValue } from "@/lib/core/stats";

interface ComparedPair extends PairFigures {
  readonly first: ChartGroup;
  readonly second: ChartGroup;
}

interface ChartedComparison {
  readonly groups: readonly (ChartGroup & GroupFigures)[];
  readonly pairs: readonly ComparedPair[];
  readonly lead: ComparedPair | null;
}

/** More lines in one plot cannot be followed. */
const MOST_LINES = MAX_COLOURED;

/** Both curves, with at most six lines and bands for the title's pair. A single pair has its differences in words. */
export function prepareCharts(comparison: ChartedComparison, k: number | null) {
  const { groups, pairs } = comparison;
  const lines = chooseLines(comparison);
  const single = pairs.length === 1 ? pairs[0]?.difference : undefined;
  const points = single?.kind === "computed" ? single.points : [];
  return listMeasures(groups.map(({ curve }) => curve)).map((words) =>
    prepareCurveChart(lines, {
      ...words,
      id: words.measure,
      chosenK: k,
      differences: points.map((point) => ({ k: point.k, words: describeDifference(point[words.measure]) })),
    }),
  );
}

function describeDifference({ value, band }: CurveValue): string {
  const size = `${formatPoints(value)} points`;
  return band.kind === "computed" ? `${size}, ${formatDifferenceRange(band, true)}` : `${size}, no interval`;
}

/** The first group and those with the largest differences from it. */
function chooseLines({ groups, pairs, lead }: ChartedComparison): readonly CurveInput[] {
  const titled = new Set([groups[0]?.id, lead?.first.id]);
  const byScore = pairs
    .toSorted((a, b) => readDifference(b) - readDifference(a))
    .map(({ first }) => first.id);
  const shown = new Set([groups[0]?.id, ...byScore].slice(0, MOST_LINES));
  return groups
    .filter(({ id }) => shown.has(id))
    .map(({ id, label, identity, variant, isInk, curve, recorded }) => ({
      group: { id, label, identity, variant, ...(isInk === undefined ? {} : { isInk }) },
      curve,
      recorded,
      // More than three bands hide one another.
      isBanded: groups.length <= 2 || titled.has(id),
    }));
}

function readDifference({ comparison }: ComparedPair): number {
  return comparison.kind === "computed" ? comparison.difference : Number.NEGATIVE_INFINITY;
}
