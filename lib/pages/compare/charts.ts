import "server-only";
import type { ChartGroup } from "@/lib/core/charts/chart-group";
import {
  type CurveChart,
  type CurveInput,
  LEVEL_SCALE,
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

export interface DrawnCurves {
  readonly charts: readonly CurveChart[];
  /** By chart id: for each group without a line, a small chart with the first group. */
  readonly panels: ReadonlyMap<string, readonly CurveChart[]>;
}

const WORDS = {
  passAtK: { title: "pass@k", note: "at least one of k attempts passes" },
  passHatK: { title: "pass^k", note: "all k attempts pass" },
} as const;

const SINGLE_WORDS = { title: "pass@1", note: "share of tasks passed" } as const;

/** More lines in one plot cannot be followed. */
const MOST_LINES = MAX_COLOURED;

/** In pixels; the plot is about twice as wide. */
const DIFFERENCE_NAME_ROOM = 110;

const NOTHING: ReadonlyMap<number, number> = new Map();

/**
 * Two groups: both curves, each next to its paired difference on a common scale. More groups: at most six lines in a plot, with
 * bands for the title's pair, and a small plot for each other group.
 */
export function prepareCharts(comparison: ChartedComparison, k: number | null): DrawnCurves {
  const { groups, pairs } = comparison;
  // With one attempt per task both measures are the share passed.
  const isSingle = groups.every(({ curve }) => curve.kind === "unavailable" || curve.points.length === 1);
  const measures = isSingle ? (["passAtK"] as const) : (["passAtK", "passHatK"] as const);
  const { drawn, others } = chooseLines(comparison);
  const pair = pairs.length === 1 ? pairs[0] : undefined;
  const scale = selectDifferenceScale(pairs.map(({ difference }) => difference));
  const panels = new Map<string, readonly CurveChart[]>();
  const charts = measures.flatMap((measure) => {
    const { title, note } = isSingle ? SINGLE_WORDS : WORDS[measure];
    // Harbor records pass@k only.
    const pick = (inputs: readonly CurveInput[]) =>
      measure === "passAtK" ? inputs : inputs.map((input) => ({ ...input, recorded: NOTHING }));
    const frame = { measure, note, chosenK: k, scale: LEVEL_SCALE };
    const level = prepareCurveChart(pick(drawn), { ...frame, id: measure, title });
    const [first] = drawn;
    panels.set(
      measure,
      others.map((other) =>
        prepareCurveChart([other, ...(first === undefined ? [] : [{ ...first, recorded: NOTHING }])], {
          ...frame,
          id: `${measure} ${other.group.id}`,
          title: other.group.label,
        }),
      ),
    );
    if (pair === undefined || pair.difference.kind === "unavailable") return [level];
    const names = [pair.first.label, pair.second.label];
    const [left, right] = shortenNames(names, DIFFERENCE_NAME_ROOM);
    const label = `${names.join(" minus ")}, in points`;
    const group = { id: "difference", label, identity: 0, isPlain: true as const };
    const largest = pair.difference.points.at(-1)?.k ?? 0;
    const difference = prepareCurveChart([{ group, curve: pair.difference, recorded: NOTHING }], {
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
