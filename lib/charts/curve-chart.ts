import type { CurveBand, CurveValue, PassCurve, Unavailable } from "@/lib/stats";

import type { ChartGroup } from "./chart-group";
import { type EndLabel, spreadLabels } from "./curve-layout";
import { formatPointTick, placeOn, selectKTicks, selectRoundValues, type Span, type Tick } from "./ticks";

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
  readonly band: CurveChartBand | null;
  /** Tasks with at least k attempts. */
  readonly nTasks: number;
}

/** The interval of a point, and where it lies. */
export interface CurveChartBand extends Omit<CurveBand, "kind"> {
  readonly at: number;
  readonly lowTop: number;
  readonly highTop: number;
}

/** A value that Harbor recorded, to stand beside the curve. */
export interface RecordedMark extends Place {
  readonly k: number;
  readonly value: number;
}

export interface CurveSeries {
  readonly group: ChartGroup;
  readonly points: readonly CurveChartPoint[];
  /** Intervals of points that follow one another without a gap: one alone is a whisker, several are a band. */
  readonly runs: readonly (readonly CurveChartBand[])[];
  /** Those that lie on the axes. */
  readonly recorded: readonly RecordedMark[];
}

/** Everything a drawing of curves needs; it places nothing by itself. */
export interface CurveChart {
  readonly id: string;
  readonly kind: "level" | "difference";
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
  /** Whether its intervals are drawn where there are curves; true by default. More than two bands hide one another. */
  readonly isBanded?: boolean;
  /** k to value; only pass@k is ever recorded. */
  readonly recorded: ReadonlyMap<number, number>;
}

interface ChartFrame extends Pick<CurveChart, "id" | "title" | "note"> {
  readonly measure: PassMeasure;
  /** The k to mark, or null. */
  readonly chosenK: number | null;
  readonly scale: ValueScale;
  readonly corners?: CurveChart["corners"];
}

/** The scale of values: its ends, and round values between them. */
export interface ValueScale extends Span {
  readonly kind: CurveChart["kind"];
  readonly values: readonly number[];
}

/** The scale of shares, 0 to 1. */
export const LEVEL_SCALE: ValueScale = { kind: "level", low: 0, high: 1, values: [0, 0.25, 0.5, 0.75, 1] };

/** Room beyond the outermost value, as a share of the span, so that the words for both sides stay clear of the curve. */
const DIFFERENCE_ROOM = 0.12;

/** A scale around 0 that holds every band of both measures, so that panels beside one another can share it. */
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
  const values = selectRoundValues(low, high, 5).filter((value) => value >= low && value <= high);
  return { kind: "difference", low, high, values };
}

function readExtent({ value, band }: CurveValue): readonly number[] {
  return band.kind === "unavailable" ? [value] : [value, band.low, band.high];
}

function formatLevelTick(value: number): string {
  return value === 0 || value === 1 ? String(value) : value.toFixed(2);
}

/** Prepares a chart with one series per group that has a curve; differences are in points. */
export function prepareCurveChart(
  inputs: readonly CurveInput[],
  { measure, chosenK, scale, corners = null, ...words }: ChartFrame,
): CurveChart {
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
  const series = drawn.map(({ group, points, recorded, isBanded = true }, index): CurveSeries => {
    // A single k has no curve: groups stand side by side instead of on one another.
    const aside = maxK === 1 ? (index + 1) / (drawn.length + 1) - 0.5 : 0;
    const place = (k: number, value: number) => ({ at: placeK(k) + aside, top: placeValue(value) });
    const placed = points.map((point): CurveChartPoint => {
      const { k, nTasks } = point;
      const { value, band } = point[measure];
      const ends = place(k, value);
      if (band.kind === "unavailable") return { k, nTasks, value, ...ends, band: null };
      const { low, high, method } = band;
      const tops = { at: ends.at, lowTop: placeValue(low), highTop: placeValue(high) };
      return { k, nTasks, value, ...ends, band: { low, high, method, ...tops } };
    });
    return {
      group,
      points: placed,
      runs: isBanded || maxK === 1 ? listRuns(placed) : [],
      recorded: [...recorded]
        .filter(([k, value]) => k >= 1 && k <= maxK && value >= scale.low && value <= scale.high)
        .map(([k, value]) => ({ k, value, ...place(k, value) })),
    };
  });
  const isLevel = scale.kind === "level";
  const format = isLevel ? formatLevelTick : formatPointTick;
  return {
    ...words,
    corners,
    kind: scale.kind,
    summary: describeSeries(words.title, series),
    xTicks: selectKTicks(ks).map((k) => ({ value: k, label: String(k), at: placeK(k) })),
    yTicks: scale.values.map((value) => ({ value, label: format(value), at: 1 - placeValue(value) })),
    chosen: chosenK === null || maxK === 1 ? null : { k: chosenK, at: placeK(chosenK) },
    series,
    endLabels: isLevel ? spreadLabels(series, maxK) : [],
    bandOpacity: series.filter(({ runs }) => runs.length > 0).length > 3 ? 0.07 : 0.14,
  };
}

function listRuns(points: readonly CurveChartPoint[]): CurveSeries["runs"] {
  const runs: CurveChartBand[][] = [[]];
  for (const { band } of points) {
    if (band === null) runs.push([]);
    else runs.at(-1)?.push(band);
  }
  return runs.filter((run) => run.length > 0);
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
