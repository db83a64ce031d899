import type { ChartGroup } from "./chart-group";
import type { Identified } from "./identity";
import { type PlacedInterval, placeInterval, type StripValue } from "./interval-strip";
import { measureText } from "./text-fit";
import { placeOn, selectRoundValues, type Span, type Tick } from "./ticks";

interface PlanePoint {
  readonly group: ChartGroup;
  readonly name: string;
  readonly x: StripValue;
  readonly y: StripValue;
  readonly isFaint: boolean;
  readonly title: string;
}

export interface PlaneLine {
  readonly id: string;
  /** `steps`: each value until the next one. `sweep`: connects settings. `series`: one group as it spends more. */
  readonly kind: "steps" | "sweep" | "series";
  readonly group: (Identified & { readonly id?: string }) | null;
  readonly corners: readonly (readonly [x: number, y: number])[];
}

/** Places are shares from the left and from the bottom. */
export interface PlaneChart {
  readonly title: string;
  readonly xTitle: string;
  readonly summary: string;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly points: readonly (Omit<PlanePoint, "x" | "y"> & {
    readonly x: PlacedInterval;
    readonly y: PlacedInterval;
    readonly label: NamePlace | null;
  })[];
  readonly lines: readonly (Omit<PlaneLine, "corners"> & {
    readonly corners: readonly { readonly at: number; readonly up: number }[];
  })[];
}

/** Axes begin at 0; scores are on 0 to 1 unless some are beyond, or `yRound` has the ticks. */
export function preparePlane(
  points: readonly PlanePoint[],
  lines: readonly PlaneLine[],
  frame: Pick<PlaneChart, "title" | "xTitle" | "summary"> & {
    readonly formatX?: (value: number) => string;
    readonly yRound?: readonly number[];
  },
): PlaneChart {
  const { formatX = formatRound, yRound: givenY, ...head } = frame;
  const xs = [
    ...points.map(({ x }) => x.value),
    ...lines.flatMap(({ corners }) => corners.map(([x]) => x)).filter(Number.isFinite),
  ];
  // Long intervals may end beyond the edge, as long as every value fits.
  const most = Math.max(...xs, 0);
  const ends = points.map(({ x }) => Math.min(x.high ?? x.value, most * 1.4));
  // Nothing spends less than 0, but a file may record it, and that value must fit.
  const xRound = selectRoundValues(Math.min(0, ...xs), Math.max(most, ...ends) || 1, 5);
  const ys = [
    ...points.flatMap(({ y }) => [y.value, y.low ?? y.value, y.high ?? y.value]),
    ...lines.flatMap(({ corners }) => corners.map(([, y]) => y)),
  ];
  const [lowest, highest] = [Math.min(0, ...ys), Math.max(1, ...ys)];
  const yRound =
    givenY ??
    (lowest === 0 && highest === 1 ? [0, 0.25, 0.5, 0.75, 1] : selectRoundValues(lowest, highest, 5));
  const xSpan = spanOf(xRound);
  const ySpan = spanOf(yRound);
  const placed = points.map((point) => ({
    ...point,
    x: placeInterval(point.x, xSpan),
    y: placeInterval(point.y, ySpan),
  }));
  const drawn = lines.map(({ corners, ...line }) => ({
    ...line,
    corners: corners.map(([x, y]) => ({ at: Math.min(1, placeOn(x, xSpan)), up: placeOn(y, ySpan) })),
  }));
  const labels = placeNames(
    placed,
    drawn.map((line) => ({
      groupId: line.kind === "series" ? (line.group?.id ?? null) : null,
      corners: listTurns(line),
    })),
  );
  return {
    ...head,
    xTicks: xRound.map((value) => ({ value, label: formatX(value), at: placeOn(value, xSpan) })),
    yTicks: yRound.map((value) => ({ value, label: formatRound(value), at: placeOn(value, ySpan) })),
    points: placed.map((point, at) => ({ ...point, label: labels[at] ?? null })),
    lines: drawn,
  };
}

/** Returns the corners of a line, with those between two steps. */
export function listTurns({
  kind,
  corners,
}: PlaneChart["lines"][number]): PlaneChart["lines"][number]["corners"] {
  return corners.flatMap((corner, at) => {
    const before = corners[at - 1];
    return kind === "steps" && before !== undefined ? [{ at: corner.at, up: before.up }, corner] : [corner];
  });
}

/** Omits the errors that sums of steps such as 0.2 have in their last digits. */
function formatRound(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function spanOf(round: readonly number[]): Span {
  return { low: round[0] ?? 0, high: round.at(-1) ?? 1 };
}

interface NamePlace {
  readonly dx: number;
  readonly dy: number;
  readonly anchor: "start" | "middle" | "end";
}

/** Points of one group and name are named once, at the last of them if there is room. */
interface NamedPoint {
  readonly group: { readonly id: string };
  readonly name: string;
  readonly x: PlacedInterval;
  readonly y: PlacedInterval;
}

/** A line for names to avoid, as shares from the left and from below. */
interface DrawnLine {
  readonly groupId: string | null;
  readonly corners: readonly { readonly at: number; readonly up: number }[];
}

/** In pixels; a wider page only has more room. */
const PLOT = { width: 420, height: 240 } as const;
const ASCENT = 11;
const DESCENT = 3;
const MARKER = 6;
const HEADROOM = 18;

/** Best first: above the interval through the marker, below it, then over and under the marker. */
const PLACES: readonly NamePlace[] = [
  { dx: 9, dy: -5, anchor: "start" },
  { dx: -9, dy: -5, anchor: "end" },
  { dx: 9, dy: 14, anchor: "start" },
  { dx: -9, dy: 14, anchor: "end" },
  { dx: 0, dy: -11, anchor: "middle" },
  { dx: 0, dy: 20, anchor: "middle" },
];

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Segment {
  readonly groupId: string | null;
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

/** Places names, first points first: never on another name or marker, and on as few lines as possible. @returns one per point */
function placeNames(
  points: readonly NamedPoint[],
  lines: readonly DrawnLine[],
): readonly (NamePlace | null)[] {
  const marks = points.map(({ x, y }): Box => {
    const [left, top] = toPixels({ at: x.at, up: y.at });
    return { left: left - MARKER, right: left + MARKER, top: top - MARKER, bottom: top + MARKER };
  });
  const segments = [...lines.flatMap(listSegments), ...points.flatMap(listWhiskers)];
  const taken: Box[] = [];
  const places = points.map((): NamePlace | null => null);
  const owners = Map.groupBy(points.keys(), (at) => {
    const { group, name } = points[at] ?? { group: { id: "" }, name: "" };
    return JSON.stringify([group.id, name]);
  });
  for (const own of owners.values()) {
    const found = own.toReversed().flatMap((at) => findPlaces(points[at], at));
    const [best] = found.toSorted((a, b) => a.nCrossed - b.nCrossed);
    if (best === undefined) continue;
    places[best.at] = best.place;
    taken.push(best.box);
  }
  return places;

  function findPlaces(point: NamedPoint | undefined, at: number) {
    if (point === undefined || point.name === "") return [];
    const width = measureText(point.name);
    const [x, y] = toPixels({ at: point.x.at, up: point.y.at });
    return PLACES.flatMap((place) => {
      const box = boxOf(place, x, y, width);
      const isFree =
        box.left >= 0 &&
        box.right <= PLOT.width &&
        box.top >= -HEADROOM &&
        box.bottom <= PLOT.height &&
        taken.every((other) => !meet(box, other)) &&
        marks.every((mark, other) => other === at || !meet(box, mark));
      if (!isFree) return [];
      const isCrossed = (one: Segment) => one.groupId !== point.group.id && crosses(one, box);
      return [{ at, place, box, nCrossed: segments.filter(isCrossed).length }];
    });
  }
}

function toPixels({ at, up }: { readonly at: number; readonly up: number }): readonly [number, number] {
  return [at * PLOT.width, (1 - up) * PLOT.height];
}

function boxOf({ dx, dy, anchor }: NamePlace, x: number, y: number, width: number): Box {
  const left = x + dx - (anchor === "start" ? 0 : anchor === "end" ? width : width / 2);
  return { left, right: left + width, top: y + dy - ASCENT, bottom: y + dy + DESCENT };
}

function meet(a: Box, b: Box): boolean {
  return a.left < b.right + 2 && b.left < a.right + 2 && a.top < b.bottom && b.top < a.bottom;
}

function listSegments({ groupId, corners }: DrawnLine): readonly Segment[] {
  const ends = corners.map(toPixels);
  return ends.slice(1).flatMap((to, at): Segment[] => {
    const from = ends[at];
    return from === undefined ? [] : [{ groupId, from, to }];
  });
}

function listWhiskers({ group: { id: groupId }, x, y }: NamedPoint): readonly Segment[] {
  const segment = (from: { at: number; up: number }, to: { at: number; up: number }): Segment => ({
    groupId,
    from: toPixels(from),
    to: toPixels(to),
  });
  return [
    ...(x.line === null ? [] : [segment({ at: x.line.from, up: y.at }, { at: x.line.to, up: y.at })]),
    ...(y.line === null ? [] : [segment({ at: x.at, up: y.line.from }, { at: x.at, up: y.line.to })]),
  ];
}

/** True if a segment has a point inside a box (Liang and Barsky 1984). */
function crosses({ from: [x, y], to: [toX, toY] }: Segment, { left, right, top, bottom }: Box): boolean {
  let [enter, leave] = [0, 1];
  const edges = [
    [x - toX, x - left],
    [toX - x, right - x],
    [y - toY, y - top],
    [toY - y, bottom - y],
  ] as const;
  for (const [slope, room] of edges) {
    if (slope === 0) {
      if (room < 0) return false;
      continue;
    }
    if (slope < 0) enter = Math.max(enter, room / slope);
    else leave = Math.min(leave, room / slope);
  }
  return enter <= leave;
}
