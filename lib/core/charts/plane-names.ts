import type { PlacedInterval } from "./interval-strip";
import { measureText } from "./text-fit";

export interface NamePlace {
  readonly dx: number;
  readonly dy: number;
  readonly anchor: "start" | "middle" | "end";
}

/** Points of one group and name are named once, at the last of them if there is room. */
export interface NamedPoint {
  readonly group: { readonly id: string };
  readonly name: string;
  readonly x: PlacedInterval;
  readonly y: PlacedInterval;
}

/** A line for names to avoid, as shares from the left and from below. */
export interface DrawnLine {
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
export function placeNames(
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
