import type { CurveBand, PassCurve, Unavailable } from "@/lib/core/stats";

import type { ChartGroup } from "./chart-group";
import { spreadLabels } from "./curve-layout";
import { placeOn, selectKTicks } from "./ticks";

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

export interface CurveInput {
  readonly group: ChartGroup;
  readonly curve: PassCurve | Unavailable;
  readonly isBanded?: boolean;
  /** Value of pass@k by k, as Harbor recorded it; no other measure is. */
  readonly recorded?: ReadonlyMap<number, number>;
}

interface Measure {
  readonly title: string;
  readonly note: string;
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

interface ChartFrame extends Measure {
  readonly id: string;
  readonly chosenK: number | null;
  readonly differences?: readonly { readonly k: number; readonly words: string }[];
}

const SCALE = { low: 0, high: 1, values: [0, 0.25, 0.5, 0.75, 1] } as const;

function formatLevelTick(value: number): string {
  return value === 0 || value === 1 ? String(value) : value.toFixed(2);
}

export type CurveChart = ReturnType<typeof prepareCurveChart>;

/** One series per group that has a curve. */
export function prepareCurveChart(
  inputs: readonly CurveInput[],
  { measure, chosenK, differences = [], ...words }: ChartFrame,
) {
  const drawn = inputs.flatMap(({ curve, ...rest }) =>
    curve.kind === "unavailable" ? [] : [{ ...rest, points: curve.points }],
  );
  const ks = [...new Set(drawn.flatMap(({ points }) => points.map((point) => point.k)))].sort(
    (a, b) => a - b,
  );
  const maxK = ks.at(-1) ?? 1;
  const kAxis = maxK === 1 ? { low: 0.5, high: 1.5 } : { low: 1, high: maxK };
  const placeK = (k: number) => placeOn(k, kAxis);
  const placeValue = (value: number) => 1 - placeOn(value, SCALE);
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
        .filter(([k, value]) => k >= 1 && k <= maxK && value >= SCALE.low && value <= SCALE.high)
        .map(([k, value]) => ({ k, value, ...place(k, value) })),
    };
  });
  return {
    ...words,
    /** Empty for more than two groups. */
    differences,
    summary: describeSeries(words.title, series),
    xTicks: selectKTicks(ks).map((k) => ({ value: k, label: String(k), at: placeK(k) })),
    yTicks: SCALE.values.map((value) => ({
      value,
      label: formatLevelTick(value),
      at: 1 - placeValue(value),
    })),
    chosen: chosenK === null || maxK === 1 ? null : { k: chosenK, at: placeK(chosenK) },
    series,
    endLabels: spreadLabels(series, maxK),
    /** Opacity of bands: lower the more of them overlap. */
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
    return `${group.label}: ${first.value.toFixed(3)} at k ${first.k}, ${last.value.toFixed(3)} at k ${last.k}`;
  });
  return `${title}. ${lines.join("; ")}.`;
}
