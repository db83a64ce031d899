import "server-only";
import type { ChartGroup } from "@/lib/core/charts/chart-group";
import {
  type CurveChart,
  type CurveInput,
  LEVEL_SCALE,
  listMeasures,
  prepareCurveChart,
  selectDifferenceScale,
} from "@/lib/core/charts/curve-chart";
import { shortenNames } from "@/lib/core/charts/text-fit";
import type { GroupFigures, PairFigures } from "@/lib/core/comparison";
import { MAX_COLOURED } from "@/lib/core/domain/compare-filter";

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

/** In pixels; the plot is about twice as wide. */
const DIFFERENCE_NAME_ROOM = 110;

/**
 * Two groups: both curves, each next to its paired difference on a common scale. More groups: at most six lines in a plot, with
 * bands for the title's pair, and a small plot for each other group.
 */
export function prepareCharts(comparison: ChartedComparison, k: number | null) {
  const { groups, pairs } = comparison;
  const { drawn, others } = chooseLines(comparison);
  const pair = pairs.length === 1 ? pairs[0] : undefined;
  const scale = selectDifferenceScale(pairs.map(({ difference }) => difference));
  /** By chart id: for each group without a line, a small chart with the first group. */
  const panels = new Map<string, readonly CurveChart[]>();
  const charts = listMeasures(groups.map(({ curve }) => curve)).flatMap((words) => {
    const { measure } = words;
    const frame = { ...words, chosenK: k, scale: LEVEL_SCALE };
    const level = prepareCurveChart(drawn, { ...frame, id: measure });
    panels.set(
      measure,
      others.map((other) => {
        const { id, label } = other.group;
        const inputs = [other, ...drawn.slice(0, 1)];
        return prepareCurveChart(inputs, { ...frame, id: `${measure} ${id}`, title: label });
      }),
    );
    if (pair === undefined || pair.difference.kind === "unavailable") return [level];
    const names = [pair.first.label, pair.second.label];
    const [left, right] = shortenNames(names, DIFFERENCE_NAME_ROOM);
    const label = `${names.join(" minus ")}, in points`;
    const group = { id: "difference", label, identity: 0, isPlain: true as const };
    const largest = pair.difference.points.at(-1)?.k ?? 0;
    const difference = prepareCurveChart([{ group, curve: pair.difference }], {
      id: `${measure}-difference`,
      measure,
      title: "Difference, points",
      note: `${left} minus ${right}`,
      corners: { above: `${left} better`, below: `${right} better` },
      chosenK: k !== null && k <= largest ? k : null,
      scale,
    });
    return [level, difference];
  });
  return { charts, panels };
}

/** Draws the first group and those with the largest differences from it. */
function chooseLines({ groups, pairs, lead }: ChartedComparison) {
  const titled = new Set([groups[0]?.id, lead?.first.id]);
  const inputs = groups.map(({ id, label, identity, variant, isInk, curve, recorded }): CurveInput => {
    const group = { id, label, identity, variant, ...(isInk === undefined ? {} : { isInk }) };
    // More than three bands hide one another.
    return { group, curve, recorded, isBanded: groups.length <= 2 || titled.has(id) };
  });
  if (inputs.length <= MOST_LINES) return { drawn: inputs, others: [] };
  const byScore = pairs
    .toSorted((a, b) => readDifference(b) - readDifference(a))
    .map(({ first }) => first.id);
  const shown = new Set([groups[0]?.id, ...byScore].slice(0, MOST_LINES));
  return {
    drawn: inputs.filter(({ group }) => shown.has(group.id)),
    others: inputs.filter(({ group }) => !shown.has(group.id)),
  };
}

function readDifference({ comparison }: ComparedPair): number {
  return comparison.kind === "computed" ? comparison.difference : Number.NEGATIVE_INFINITY;
}
