import type { SpendingMeasure } from "@/lib/core/domain/spending";

import type { ChartGroup } from "./chart-group";
import { type StripValue, withBounds } from "./interval-strip";
import { type PlaneChart, type PlaneLine, preparePlane } from "./plane-chart";

export interface SpendingPoint {
  readonly group: ChartGroup;
  readonly name: string;
  readonly score: StripValue | null;
  /** US dollars, milliseconds or tokens. */
  readonly spent: StripValue | null;
  readonly isDominated: boolean;
  readonly curve: readonly { readonly k: number; readonly value: number }[];
  readonly title: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

export function selectSpendingUnit(
  measure: SpendingMeasure,
  most: number,
): { readonly size: number; readonly word: string } {
  if (measure === "cost") return { size: 1, word: "$" };
  if (measure === "time") {
    return most >= 2 * MINUTE ? { size: MINUTE, word: "minutes" } : { size: SECOND, word: "seconds" };
  }
  if (most >= 2_000_000) return { size: 1_000_000, word: "million tokens" };
  return most >= 2_000 ? { size: 1_000, word: "thousand tokens" } : { size: 1, word: "tokens" };
}

type Known = SpendingPoint & { readonly score: StripValue; readonly spent: StripValue };

/** Draws score against spending per attempt, with a frontier and sweeps; and pass@k against the spending of k attempts. */
export function prepareSpendingCharts(
  all: readonly SpendingPoint[],
  measure: SpendingMeasure,
  sweeps: readonly (readonly number[])[],
): readonly PlaneChart[] {
  const points = all.filter((point): point is Known => point.score !== null && point.spent !== null);
  if (points.length === 0) return [];
  return [prepareFrontier(all, points, measure, sweeps), ...prepareBudget(points, measure)];
}

function prepareFrontier(
  all: readonly SpendingPoint[],
  points: readonly Known[],
  measure: SpendingMeasure,
  sweeps: readonly (readonly number[])[],
): PlaneChart {
  const unit = selectSpendingUnit(measure, Math.max(...points.map(({ spent }) => spent.value)));
  const best = points
    .filter(({ isDominated }) => !isDominated)
    .toSorted((a, b) => a.spent.value - b.spent.value || a.score.value - b.score.value);
  const place = ({ spent, score }: Known) => [spent.value / unit.size, score.value] as const;
  const lines: PlaneLine[] = sweeps.flatMap((sweep, at) => {
    const members = sweep.flatMap((index) => points.find((point) => point === all[index]) ?? []);
    const [first] = members;
    if (first === undefined || members.length < 2) return [];
    return [{ id: `sweep ${at}`, kind: "sweep" as const, group: first.group, corners: members.map(place) }];
  });
  if (best.length > 1)
    lines.unshift({ id: "frontier", kind: "steps", group: null, corners: best.map(place) });
  return preparePlane(
    points.map((point) => ({
      group: point.group,
      name: point.name,
      x: scale(point.spent, unit.size),
      y: point.score,
      isFaint: point.isDominated,
      title: point.title,
    })),
    lines,
    {
      title: `Score and ${measure}`,
      xTitle: `mean ${measure} of one attempt${unit.word === measure ? "" : `, ${unit.word}`}`,
      summary: `Score against ${measure} of an attempt. Not beaten: ${best.map(({ name }) => name).join(", ")}.`,
    },
  );
}

function prepareBudget(points: readonly Known[], measure: SpendingMeasure): readonly PlaneChart[] {
  const drawn = points.filter(({ curve }) => curve.length > 1);
  if (drawn.length === 0) return [];
  const ends = drawn.map(({ spent, curve }) => spent.value * (curve.at(-1)?.k ?? 1));
  const unit = selectSpendingUnit(measure, Math.max(...ends));
  const at = ({ spent }: Known, k: number) => (spent.value / unit.size) * k;
  return [
    preparePlane(
      drawn.flatMap((point) =>
        point.curve.map(({ k, value }) => ({
          group: point.group,
          name: point.name,
          x: withBounds(at(point, k)),
          y: withBounds(value),
          isFaint: false,
          title: `${point.group.label}, pass@${k} ${value.toFixed(3)}`,
        })),
      ),
      drawn.map((point) => ({
        id: point.group.id,
        kind: "series" as const,
        group: point.group,
        corners: point.curve.map(({ k, value }) => [at(point, k), value] as const),
      })),
      {
        title: "Budget: pass@k",
        xTitle: `${measure} of k attempts${unit.word === measure ? "" : `, ${unit.word}`}`,
        summary: `pass@k against the ${measure} of k attempts`,
      },
    ),
  ];
}

function scale({ value, low, high }: StripValue, size: number): StripValue {
  return {
    value: value / size,
    low: low === null ? null : low / size,
    high: high === null ? null : high / size,
  };
}
