import type { ChartGroup } from "./chart-group";
import type { Identified } from "./identity";
import { type PlacedInterval, placeInterval } from "./interval-strip";
import { type NamePlace, placeNames } from "./plane-names";
import { placeOn, selectRoundValues, type Span, type Tick } from "./ticks";

export interface PlaneValue {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export interface PlanePoint {
  readonly group: ChartGroup;
  readonly name: string;
  readonly x: PlaneValue;
  readonly y: PlaneValue;
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
