import type { CurveBand, CurveValue, PassCurve, Unavailable } from "@/lib/core/stats";

import type { ChartGroup } from "./chart-group";
import { type EndLabel, spreadLabels } from "./curve-layout";
import { formatPointTick, placeOn, selectKTicks, selectRoundValues, type Span, type Tick } from "./ticks";

type PassMeasure = "passAtK" | "passHatK";

/** Shares of the plot's width from the left and of its height from above. */
interface Place {
  readonly at: number;
  readonly top: number;
}

interface CurveChartPoint extends Place {
  readonly k: number;
  readonly value: number;
  readonly band: CurveChartBand | null;
  readonly nTasks: number;
}

interface CurveChartBand extends Omit<CurveBand, "kind"> {
  readonly at: number;
  readonly lowTop: number;
  readonly highTop: number;
}

interface RecordedMark extends Place {
  readonly k: number;
  readonly value: number;
}

export interface CurveSeries {
  readonly group: ChartGroup;
  readonly points: readonly CurveChartPoint[];
  /** Consecutive intervals: one alone is a whisker, several are a band. */
  readonly runs: readonly (readonly CurveChartBand[])[];
  readonly recorded: readonly RecordedMark[];
}

export interface CurveChart {
  readonly id: string;
  readonly kind: "level" | "difference";
  readonly title: string;
  readonly note: string;
  readonly corners: { readonly above: string; readonly below: string } | null;
  readonly summary: string;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly chosen: { readonly k: number; readonly at: number } | null;
  readonly series: readonly CurveSeries[];
  readonly endLabels: readonly EndLabel[];
  /** Opacity of bands: lower the more of them overlap. */
  readonly bandOpacity: number;
}

export interface CurveInput {
  readonly group: ChartGroup;
  readonly curve: PassCurve | Unavailable;
  readonly isBanded?: boolean;
  /** Value of pass@k by k, as Harbor recorded it; no other measure is. */
  readonly recorded?: ReadonlyMap<number, number>;
}

interface Measure extends Pick<CurveChart, "title" | "note"> {
  readonly measure: PassMeasure;
}

const ONCE: Measure = { measure: "passAtK", title: "pass@k", note: "at least one of k attempts passes" };
const ALWAYS: Measure = { measure: "passHatK", title: "pass^k", note: "all k attempts pass" };
const SINGLE: Measure = { measure: "passAtK", title: "pass@1", note: "share of tasks passed" };

/** Returns what to draw of these curves: with one attempt per task, both measures are the share passed. */
export function listMeasures(curves: readonly (PassCurve | Unavailable)[]): readonly Measure[] {
  const isSingle = curves.every((curve) => curve.kind === "unavailable" || curve.points.length === 1);
  return isSingle ? [SINGLE] : [ONCE, ALWAYS];
}

interface ChartFrame extends Measure, Pick<CurveChart, "id"> {
  readonly chosenK: number | null;
  readonly scale: ValueScale;
  readonly corners?: CurveChart["corners"];
}

interface ValueScale extends Span {
  readonly kind: CurveChart["kind"];
  readonly values: readonly number[];
}

export const LEVEL_SCALE: ValueScale = { kind: "level", low: 0, high: 1, values: [0, 0.25, 0.5, 0.75, 1] };

/** Share of the span beyond the outermost value, so that the words for both sides stay clear of the curve. */
const DIFFERENCE_ROOM = 0.12;

/** Returns a scale around 0 that holds every band of both measures, so that adjacent panels can share it. */
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

/** One series per group that has a curve; differences are in points. */
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
  const placeK = (k: number) => placeOn(k, kAxis);
  const placeValue = (value: number) => 1 - placeOn(value, scale);
  const series = drawn.map(({ group, points, recorded = [], isBanded = true }, index): CurveSeries => {
    // A single k has no curve: groups are next to instead of on top of one another.
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
      recorded: [...(measure === "passAtK" ? recorded : [])]
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
