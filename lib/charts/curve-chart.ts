import type { CurveBand, CurvePoint, CurveValue, PassCurve, Unavailable } from "@/lib/stats";

import type { ChartGroup } from "./chart-group";
import { type EndLabel, spreadLabels } from "./curve-labels";
import { PATH_SIZE } from "./curve-layout";
import { formatPointTick, placeOn, selectKTicks, selectRoundValues } from "./ticks";
import type { Tick } from "./ticks";

/** Which of the two curves: at least one of k attempts passes, or all of k pass. */
export type PassMeasure = "passAtK" | "passHatK";

/** A value in the plot: shares of its width from the left and of its height from above. */
interface Place {
  readonly at: number;
  readonly top: number;
}

/** A point of a series, where the value lies. */
export interface CurveChartPoint extends Place {
  readonly k: number;
  readonly value: number;
  /** Null where no band can be given. */
  readonly low: number | null;
  readonly high: number | null;
  readonly bandMethod: CurveBand["method"] | null;
  /** Tasks with at least k attempts. */
  readonly nTasks: number;
}

/** The interval of a point that has no neighbour with one, so that there is no band to lie in. */
export interface Whisker {
  readonly k: number;
  readonly at: number;
  readonly lowTop: number;
  readonly highTop: number;
}

/** A value that Harbor recorded, to stand beside the curve. */
export interface RecordedMark extends Place {
  readonly k: number;
  readonly value: number;
}

/** One line of the chart with its band. Paths are in a square of {@link PATH_SIZE} units. */
export interface CurveSeries {
  readonly group: ChartGroup;
  readonly points: readonly CurveChartPoint[];
  readonly line: string;
  /** One path for each run of points that have a band; empty when there is none. */
  readonly bands: readonly string[];
  /** The intervals that are in none of the bands. */
  readonly whiskers: readonly Whisker[];
  /** Those that lie on the axes. */
  readonly recorded: readonly RecordedMark[];
}

/** Everything a drawing of curves needs: the page and the file draw the same one, and place nothing by themselves. */
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
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly chosen: { readonly k: number; readonly at: number } | null;
  readonly series: readonly CurveSeries[];
  readonly endLabels: readonly EndLabel[];
  /** Fill opacity of bands: thinner the more of them lie on one another. */
  readonly bandOpacity: number;
}

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
  const scale = { low: 0, high: 1, values: [0, 0.25, 0.5, 0.75, 1] };
  return prepareChart({ kind: "level", inputs, measure, chosenK, words, scale, format: formatLevelTick });
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
  scale: ValueScale,
): CurveChart {
  return prepareChart({
    kind: "difference",
    inputs,
    measure,
    chosenK,
    words,
    scale,
    format: formatPointTick,
  });
}

/** The scale of values: its ends, and round values between them. */
export interface ValueScale {
  readonly low: number;
  readonly high: number;
  readonly values: readonly number[];
}

/** Room beyond the outermost value, as a share of the span, so that the words for both sides stay clear of the curve. */
const DIFFERENCE_ROOM = 0.12;

/** A scale that holds 0 and every band of both measures, so that panels beside one another can share it. */
export function selectDifferenceScale(curves: readonly (PassCurve | Unavailable)[]): ValueScale {
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
  readonly scale: ValueScale;
  readonly format: (value: number) => string;
}

function prepareChart({ kind, inputs, measure, chosenK, words, scale, format }: ChartParts): CurveChart {
  const drawn = inputs.flatMap(({ curve, ...rest }) =>
    curve.kind === "unavailable" ? [] : [{ ...rest, points: curve.points }],
  );
  const ks = [...new Set(drawn.flatMap(({ points }) => points.map((point) => point.k)))].sort(
    (a, b) => a - b,
  );
  const maxK = ks.at(-1) ?? 1;
  const kAxis = maxK === 1 ? { low: 0.5, high: 1.5 } : { low: 1, high: maxK };
  // The two scales of the chart: whatever is drawn stands where these say.
  const placeK = (k: number) => placeOn(k, kAxis);
  const placeValue = (value: number) => 1 - placeOn(value, scale);
  const series = drawn.map(({ group, points, recorded }, index): CurveSeries => {
    // A single k has no curve: groups stand side by side instead of on one another.
    const aside = maxK === 1 ? (index + 1) / (drawn.length + 1) - 0.5 : 0;
    const place = (k: number, value: number) => ({ at: placeK(k) + aside, top: placeValue(value) });
    const placed = points.map((point) => preparePoint(point, measure, place));
    const runs = listRuns(placed, placeValue);
    return {
      group,
      points: placed,
      line: drawLine(placed),
      bands: runs.filter((run) => run.length > 1).map(drawBand),
      whiskers: runs.filter((run) => run.length === 1).flat(),
      recorded: [...recorded]
        .filter(([k, value]) => k >= 1 && k <= maxK && value >= scale.low && value <= scale.high)
        .map(([k, value]) => ({ k, value, ...place(k, value) })),
    };
  });
  return {
    ...words,
    corners: words.corners ?? null,
    kind,
    measure,
    summary: describeSeries(words.title, series),
    xTicks: selectKTicks(ks).map((k) => ({ value: k, label: String(k), at: placeK(k) })),
    yTicks: scale.values.map((value) => ({ value, label: format(value), at: 1 - placeValue(value) })),
    chosen: chosenK === null || maxK === 1 ? null : { k: chosenK, at: placeK(chosenK) },
    series,
    endLabels: kind === "level" ? spreadLabels(series, maxK) : [],
    bandOpacity: series.length > 3 ? 0.07 : 0.14,
  };
}

function preparePoint(
  point: CurvePoint,
  measure: PassMeasure,
  place: (k: number, value: number) => Place,
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

/** The intervals of points that follow one another without a gap. */
function listRuns(
  points: readonly CurveChartPoint[],
  placeValue: (value: number) => number,
): readonly (readonly Whisker[])[] {
  const runs: Whisker[][] = [[]];
  for (const { k, at, low, high } of points) {
    if (low === null || high === null) runs.push([]);
    else runs.at(-1)?.push({ k, at, lowTop: placeValue(low), highTop: placeValue(high) });
  }
  return runs;
}

function drawBand(run: readonly Whisker[]): string {
  const upper = run.map(({ at, highTop }) => scalePoint(at, highTop));
  const lower = run.map(({ at, lowTop }) => scalePoint(at, lowTop)).reverse();
  return `M${[...upper, ...lower].join("L")}Z`;
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
