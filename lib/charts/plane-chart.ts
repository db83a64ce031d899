import type { ChartGroup } from "./chart-group";
import { type PlacedInterval, placeInterval } from "./interval-strip";
import { measureText } from "./text-fit";
import { placeOn, selectRoundValues, type Span, type Tick } from "./ticks";

/** A value with its interval; both ends are null without one. */
export interface PlaneValue {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** A point of a plane: what it is, where it lies both ways, and whether it is drawn faint. */
export interface PlanePoint {
  readonly group: ChartGroup;
  /** Stands beside the marker. */
  readonly name: string;
  readonly x: PlaneValue;
  readonly y: PlaneValue;
  readonly isFaint: boolean;
  /** Said on hover. */
  readonly title: string;
}

/** A line through points of a plane, in values. */
export interface PlaneLine {
  readonly id: string;
  /** `frontier`: steps of the best so far. `sweep`: connects settings. `series`: one group as it spends more. */
  readonly kind: "frontier" | "sweep" | "series";
  /** Whose colour it has; null is ink. */
  readonly group: ChartGroup | null;
  readonly corners: readonly (readonly [x: number, y: number])[];
}

/** Everything that a drawing of a plane needs. Places are shares: from the left, and from the bottom. */
export interface PlaneChart {
  readonly title: string;
  readonly xTitle: string;
  readonly summary: string;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly points: readonly (Omit<PlanePoint, "x" | "y"> & {
    readonly x: PlacedInterval;
    readonly y: PlacedInterval;
    /** Side of its name; null where it would lie on another. */
    readonly side: "left" | "right" | null;
  })[];
  readonly lines: readonly (Omit<PlaneLine, "corners"> & {
    readonly corners: readonly { readonly at: number; readonly up: number }[];
  })[];
}

/** Size of the plot in pixels for which names are placed; a wider page only has more room. */
const PLACING = { width: 420, height: 240, line: 14, gap: 7, rise: 9 } as const;

/** Prepares a plane whose axes begin at 0; scores are on 0 to 1 unless some lie beyond. */
export function preparePlane(
  points: readonly PlanePoint[],
  lines: readonly PlaneLine[],
  frame: Pick<PlaneChart, "title" | "xTitle" | "summary"> & { readonly formatX: (value: number) => string },
): PlaneChart {
  const { formatX, ...head } = frame;
  const xs = [
    ...points.map(({ x }) => x.value),
    ...lines.flatMap(({ corners }) => corners.map(([x]) => x)).filter(Number.isFinite),
  ];
  // Long intervals may end beyond the edge, as long as every value has its place.
  const most = Math.max(...xs, 0);
  const ends = points.map(({ x }) => Math.min(x.high ?? x.value, most * 1.4));
  // Nothing spends less than 0, yet a file may say so, and what it says has its place.
  const xRound = selectRoundValues(Math.min(0, ...xs), Math.max(most, ...ends) || 1, 5);
  const ys = points.flatMap(({ y }) => [y.value, y.low ?? y.value, y.high ?? y.value]);
  const [lowest, highest] = [Math.min(0, ...ys), Math.max(1, ...ys)];
  const yRound =
    lowest === 0 && highest === 1 ? [0, 0.25, 0.5, 0.75, 1] : selectRoundValues(lowest, highest, 5);
  const xSpan = spanOf(xRound);
  const ySpan = spanOf(yRound);
  const placed = points.map((point) => ({
    ...point,
    x: placeInterval(point.x, xSpan),
    y: placeInterval(point.y, ySpan),
  }));
  const sides = chooseSides(placed);
  return {
    ...head,
    xTicks: xRound.map((value) => ({ value, label: formatX(value), at: placeOn(value, xSpan) })),
    yTicks: yRound.map((value) => ({ value, label: String(value), at: placeOn(value, ySpan) })),
    points: placed.map((point, at) => ({ ...point, side: sides[at] ?? null })),
    lines: lines.map(({ corners, ...line }) => ({
      ...line,
      corners: corners.map(([x, y]) => ({
        at: Math.min(1, placeOn(x, xSpan)),
        up: placeOn(y, ySpan),
      })),
    })),
  };
}

function spanOf(round: readonly number[]): Span {
  return { low: round[0] ?? 0, high: round.at(-1) ?? 1 };
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Names beside their markers, right before left, the first points first; one that would lie on a name or marker has none. */
function chooseSides(
  points: readonly { readonly name: string; readonly x: PlacedInterval; readonly y: PlacedInterval }[],
): readonly ("left" | "right" | null)[] {
  const marks: Box[] = points.map(({ x, y }) => {
    const at = x.at * PLACING.width;
    return { left: at - 5, right: at + 5, top: (1 - y.at) * PLACING.height };
  });
  const names: Box[] = [];
  return points.map(({ name }, index) => {
    const mark = marks[index];
    if (mark === undefined) return null;
    const room = measureText(name);
    const at = (mark.left + mark.right) / 2;
    // Names stand above the interval that goes through their marker.
    const top = mark.top - PLACING.rise;
    const boxes = [
      { side: "right", left: at + PLACING.gap, right: at + PLACING.gap + room, top },
      { side: "left", left: at - PLACING.gap - room, right: at - PLACING.gap, top },
    ] as const;
    const fitting = boxes.find(
      (box) =>
        box.left >= 0 &&
        box.right <= PLACING.width &&
        [...names, ...marks.filter((other) => other !== mark)].every((other) => !meet(box, other)),
    );
    if (fitting === undefined) return null;
    names.push(fitting);
    return fitting.side;
  });
}

function meet(a: Box, b: Box): boolean {
  return Math.abs(a.top - b.top) < PLACING.line && a.left < b.right + 2 && b.left < a.right + 2;
}
