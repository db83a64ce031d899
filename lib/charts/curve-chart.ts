import type { CurveBand, CurvePoint, CurveValue, PassCurve, Unavailable } from "@/lib/stats";

import type { ChartGroup } from "./chart-group";
import { formatPointTick, placeOn, selectKTicks, selectRoundValues } from "./ticks";
import type { Tick } from "./ticks";

/** Which of the two curves: at least one of k passes, or all of k pass. */
export type PassMeasure = "passAtK" | "passHatK";

/** A point of a series. Shares are of the plot's width and height, `top` from above. */
export interface CurveChartPoint {
  readonly k: number;
  readonly value: number;
  /** Null where no band can be given. */
  readonly low: number | null;
  readonly high: number | null;
  readonly bandMethod: CurveBand["method"] | null;
  /** Tasks with at least k attempts. */
  readonly nTasks: number;
  readonly at: number;
  readonly top: number;
}

/** A value that Harbor recorded, to stand beside the curve. */
export interface RecordedMark {
  readonly k: number;
  readonly value: number;
  readonly at: number;
  readonly top: number;
}

/** One line of the chart with its band. Paths are in a square of {@link PATH_SIZE} units. */
export interface CurveSeries {
  readonly group: ChartGroup;
  readonly points: readonly CurveChartPoint[];
  readonly line: string;
  /** One path for each run of points that have a band; empty when there is none. */
  readonly bands: readonly string[];
  readonly recorded: readonly RecordedMark[];
}

/** A name at the end of a line, moved apart from its neighbours. */
export interface EndLabel {
  readonly group: ChartGroup;
  readonly value: string;
  readonly top: number;
}

/** Everything a drawing of curves needs; server and client draw the same one. */
export interface CurveChart {
  readonly id: string;
  readonly kind: "level" | "difference";
  readonly measure: PassMeasure;
  readonly title: string;
  readonly note: string;
  /** What the upper and the lower side of a difference mean; null for levels. */
  readonly corners: { readonly above: string; readonly below: string } | null;
  /** Said to screen readers instead of the drawing. */
  readonly summary: string;
  readonly xDomain: { readonly low: number; readonly high: number };
  readonly yDomain: { readonly low: number; readonly high: number };
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly chosen: { readonly k: number; readonly at: number } | null;
  readonly series: readonly CurveSeries[];
  readonly endLabels: readonly EndLabel[];
  /** Fill opacity of bands: thinner the more of them lie on one another. */
  readonly bandOpacity: number;
}

/** Side of the square in which paths are drawn before they are stretched over the plot. */
export const PATH_SIZE = 1000;

/** Fixed measures of every curve chart in pixels; the width is the page's. */
export const CURVE_LAYOUT = { height: 240, top: 10, bottom: 42, left: 40 } as const;

/** Height of the plot in pixels. */
export const PLOT_HEIGHT = CURVE_LAYOUT.height - CURVE_LAYOUT.top - CURVE_LAYOUT.bottom;

/** Least distance between two end labels in pixels. */
export const LABEL_GAP_PX = 16;
const LABEL_GAP = LABEL_GAP_PX / PLOT_HEIGHT;

/** One group's curve, or the reason why there is none, and what Harbor recorded for it. */
export interface CurveInput {
  readonly group: ChartGroup;
  readonly curve: PassCurve | Unavailable;
  /** k to value; only pass@k is ever recorded. */
  readonly recorded: ReadonlyMap<number, number>;
}

interface ChartWords {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly corners?: CurveChart["corners"];
}

/**
 * A chart of levels from 0 to 1, one series per group that has a curve.
 *
 * @param chosenK - the k to mark, or null
 */
export function prepareLevelChart(
  inputs: readonly CurveInput[],
  measure: PassMeasure,
  chosenK: number | null,
  words: ChartWords,
): CurveChart {
  const yDomain = { low: 0, high: 1 };
  const yTicks = [0, 0.25, 0.5, 0.75, 1].map((value) => ({
    value,
    label: formatLevelTick(value),
    at: value,
  }));
  return prepareChart({ kind: "level", inputs, measure, chosenK, words, yDomain, yTicks });
}

function formatLevelTick(value: number): string {
  return value === 0 || value === 1 ? String(value) : value.toFixed(2);
}

/**
 * A chart of differences in points around 0.
 *
 * @param scale - shared by the charts that stand beside one another, see {@link selectDifferenceScale}
 */
export function prepareDifferenceChart(
  inputs: readonly CurveInput[],
  measure: PassMeasure,
  chosenK: number | null,
  words: ChartWords,
  scale: DifferenceScale,
): CurveChart {
  const yDomain = { low: scale.low, high: scale.high };
  const yTicks = scale.values.map((value) => ({
    value,
    label: formatPointTick(value),
    at: placeOn(value, yDomain),
  }));
  return prepareChart({ kind: "difference", inputs, measure, chosenK, words, yDomain, yTicks });
}

/** The scale of differences: its ends, and round values between them. */
export interface DifferenceScale {
  readonly low: number;
  readonly high: number;
  readonly values: readonly number[];
}

/** Room beyond the outermost value, as a share of the span, so that the words for both sides stay clear of the curve. */
const DIFFERENCE_ROOM = 0.12;

/** A scale that holds 0 and every band of both measures, so that panels beside one another can share it. */
export function selectDifferenceScale(curves: readonly (PassCurve | Unavailable)[]): DifferenceScale {
  const extents = curves.flatMap((curve) =>
    curve.kind === "unavailable"
      ? []
      : curve.points.flatMap((point) => [...readExtent(point.passAtK), ...readExtent(point.passHatK)]),
  );
  const least = Math.min(0, ...extents);
  const most = Math.max(0, ...extents);
  // Without any difference a small span around 0 keeps the scale honest.
  const room = most - least < 0.02 ? 0.1 : (most - least) * DIFFERENCE_ROOM;
  const low = least - room;
  const high = most + room;
  return {
    low,
    high,
    values: selectRoundValues(low, high, 5).filter((value) => value >= low && value <= high),
  };
}

function readExtent(value: CurveValue): readonly number[] {
  return value.band.kind === "unavailable" ? [value.value] : [value.value, value.band.low, value.band.high];
}

interface ChartParts {
  readonly kind: CurveChart["kind"];
  readonly inputs: readonly CurveInput[];
  readonly measure: PassMeasure;
  readonly chosenK: number | null;
  readonly words: ChartWords;
  readonly yDomain: { readonly low: number; readonly high: number };
  readonly yTicks: readonly Tick[];
}

function prepareChart({ kind, inputs, measure, chosenK, words, yDomain, yTicks }: ChartParts): CurveChart {
  const drawn = inputs.flatMap(({ curve, ...rest }) =>
    curve.kind === "unavailable" ? [] : [{ ...rest, points: curve.points }],
  );
  const ks = [...new Set(drawn.flatMap(({ points }) => points.map((point) => point.k)))].sort(
    (a, b) => a - b,
  );
  const maxK = ks.at(-1) ?? 1;
  const xDomain = maxK === 1 ? { low: 0.5, high: 1.5 } : { low: 1, high: maxK };
  const series = drawn.map(({ group, points, recorded }, index) => {
    // A single k has no curve: groups stand side by side instead of on one another.
    const aside = maxK === 1 ? (index + 1) / (drawn.length + 1) - 0.5 : 0;
    const place = (k: number, value: number) => ({
      at: placeOn(k, xDomain) + aside,
      top: 1 - placeOn(value, yDomain),
    });
    const placed = points.map((point) => placePoint(point, measure, place));
    return {
      group,
      points: placed,
      line: drawLine(placed),
      bands: drawBands(placed, (value) => 1 - placeOn(value, yDomain)),
      recorded: [...recorded]
        .filter(([k]) => k <= maxK)
        .map(([k, value]) => ({ k, value, ...place(k, value) })),
    };
  });
  return {
    ...words,
    corners: words.corners ?? null,
    kind,
    measure,
    summary: describeSeries(words.title, series),
    xDomain,
    yDomain,
    xTicks: selectKTicks(ks).map((k) => ({ value: k, label: String(k), at: placeOn(k, xDomain) })),
    yTicks,
    chosen: chosenK === null || maxK === 1 ? null : { k: chosenK, at: placeOn(chosenK, xDomain) },
    series,
    endLabels: kind === "level" ? spreadLabels(series, maxK) : [],
    bandOpacity: series.length > 3 ? 0.07 : 0.14,
  };
}

function placePoint(
  point: CurvePoint,
  measure: PassMeasure,
  place: (k: number, value: number) => { at: number; top: number },
): CurveChartPoint {
  const { value, band } = point[measure];
  const limits =
    band.kind === "unavailable"
      ? { low: null, high: null, bandMethod: null }
      : { low: band.low, high: band.high, bandMethod: band.method };
  return { k: point.k, value, ...limits, nTasks: point.nTasks, ...place(point.k, value) };
}

function scalePoint(at: number, top: number): string {
  return `${(at * PATH_SIZE).toFixed(1)} ${(top * PATH_SIZE).toFixed(1)}`;
}

function drawLine(points: readonly CurveChartPoint[]): string {
  return points
    .map((point, index) => `${index === 0 ? "M" : "L"}${scalePoint(point.at, point.top)}`)
    .join("");
}

function drawBands(
  points: readonly CurveChartPoint[],
  placeTop: (value: number) => number,
): readonly string[] {
  const runs: CurveChartPoint[][] = [[]];
  for (const point of points) {
    if (point.low === null) runs.push([]);
    else runs.at(-1)?.push(point);
  }
  return runs
    .filter((run) => run.length > 1)
    .map((run) => {
      const upper = run.map((point) => scalePoint(point.at, placeTop(point.high ?? 0)));
      const lower = run.map((point) => scalePoint(point.at, placeTop(point.low ?? 0))).reverse();
      return `M${[...upper, ...lower].join("L")}Z`;
    });
}

/** Labels at the last point of each series, at least a line apart and inside the plot. */
function spreadLabels(series: readonly CurveSeries[], maxK: number): readonly EndLabel[] {
  const labels = series
    .flatMap(({ group, points }) => {
      const last = points.at(-1);
      if (last === undefined) return [];
      // A curve that ends earlier says where, since its label stands at the edge.
      const where = last.k < maxK ? ` at ${String(last.k)}` : "";
      return [{ group, value: `${last.value.toFixed(3)}${where}`, top: last.top }];
    })
    .sort((a, b) => a.top - b.top);
  const tops = labels.map((label) => label.top);
  for (let i = 1; i < tops.length; i++) tops[i] = Math.max(tops[i] ?? 0, (tops[i - 1] ?? 0) + LABEL_GAP);
  let limit = 1;
  for (let i = tops.length - 1; i >= 0; i--) {
    tops[i] = Math.min(tops[i] ?? 0, limit);
    limit = (tops[i] ?? 0) - LABEL_GAP;
  }
  return labels.map((label, index) => ({ ...label, top: tops[index] ?? label.top }));
}

function describeSeries(title: string, series: readonly CurveSeries[]): string {
  const lines = series.map(({ group, points }) => {
    const first = points[0];
    const last = points.at(-1);
    if (first === undefined || last === undefined) return `${group.label}: no value`;
    return `${group.label}: ${first.value.toFixed(3)} at k ${String(first.k)}, ${last.value.toFixed(3)} at k ${String(last.k)}`;
  });
  return `${title}. ${lines.join("; ")}.`;
}
