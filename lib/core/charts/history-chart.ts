import { formatDay, formatTime, UTC_ZONE } from "@/lib/core/format/time";

import type { ChartGroup } from "./chart-group";
import { type StripValue, withBounds } from "./interval-strip";
import { type PlaneChart, preparePlane } from "./plane-chart";

export interface HistoryMark {
  readonly group: ChartGroup;
  readonly series: string;
  /** Start, ms since 1970-01-01. */
  readonly startMs: number;
  readonly score: StripValue;
  readonly change: number | null;
  readonly isRunning: boolean;
  readonly title: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Up to this long, ticks are hours; from `LONG` on, months. */
const SHORT = 2 * DAY;
const LONG = 300 * DAY;

/** Scores from 0; a line connects an agent and model. Null without a point. */
export function prepareHistoryChart(marks: readonly HistoryMark[]): PlaneChart | null {
  const [first, ...others] = marks.toSorted((a, b) => a.startMs - b.startMs);
  if (first === undefined) return null;
  const last = others.at(-1) ?? first;
  const isShort = last.startMs - first.startMs <= SHORT;
  const unit = isShort ? HOUR : DAY;
  const origin = Math.floor(first.startMs / unit) * unit;
  const toX = (startMs: number) => (startMs - origin) / unit;
  const isLong = last.startMs - first.startMs > LONG;
  const bySeries = Map.groupBy([first, ...others], ({ series }) => series);
  return preparePlane(
    [first, ...others].map(({ group, change, startMs, score, isRunning, title }) => ({
      group,
      name: change === null ? "" : String(change),
      x: withBounds(toX(startMs)),
      y: score,
      isFaint: isRunning,
      title,
    })),
    [...bySeries].map(([series, own]) => ({
      id: series,
      kind: "series",
      group: own[0]?.group ?? null,
      corners: own.map(({ startMs, score }) => [toX(startMs), score.value] as const),
    })),
    {
      title: "Score over time",
      xTitle: `Start of the run (UTC), from ${formatDay(origin)}`,
      summary: describe(marks, first.startMs, last.startMs),
      formatX: (value) => formatTick(origin + value * unit, isShort, isLong),
    },
  );
}

/** Hours of a short history, days of a longer one, months of a long one; empty between two days. */
function formatTick(epochMs: number, isShort: boolean, isLong: boolean): string {
  const rounded = Math.round(epochMs / 1000) * 1000;
  if (!isShort && rounded % DAY !== 0) return "";
  const day = formatDay(rounded);
  if (isLong) return day.slice(0, 7);
  const words = formatTime(
    { text: day, epochMs: rounded, zoned: true },
    { zone: UTC_ZONE, year: new Date(rounded).getUTCFullYear() },
  );
  return isShort ? words.slice(-5) : words.slice(0, -6);
}

function describe(marks: readonly HistoryMark[], firstMs: number, lastMs: number): string {
  const agents = Map.groupBy(marks, ({ series }) => series);
  const lines = Array.from(agents, ([series, own]) => {
    const ordered = own.toSorted((a, b) => a.startMs - b.startMs);
    return `${series}: ${ordered.map(({ score }) => score.value.toFixed(3)).join(", ")}`;
  });
  return `Score over time from ${formatDay(firstMs)} to ${formatDay(lastMs)}. ${lines.join("; ")}.`;
}
