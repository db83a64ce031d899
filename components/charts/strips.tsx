"use client";

import { percent, PLAIN, Strip, StripMark, StripNumbers } from "@/components/ui/interval-plot";
import type { DifferenceAxis } from "@/lib/core/charts/difference-axis";
import type { Identified } from "@/lib/core/charts/identity";
import type { PlacedInterval } from "@/lib/core/charts/interval-strip";
import { selectOuterTicks } from "@/lib/core/charts/ticks";

const ROW = 26;

export function zeroAt(ticks: DifferenceAxis["ticks"]): number {
  return ticks.find(({ value }) => value === 0)?.at ?? 0.5;
}

/** A row of a plot of differences: filled if clear, in front of the range that is too small to detect. */
export function DifferenceMark({
  axis: { ticks, interval, undetectable, summary },
  group = PLAIN,
  isClear,
  isNamed = false,
}: {
  axis: DifferenceAxis;
  group?: Identified;
  isClear: boolean;
  /** Names the range in front of it. */
  isNamed?: boolean;
}) {
  return (
    <Strip title={summary} height={ROW} ticks={ticks}>
      {undetectable === null ? null : (
        <line
          className="strip-blind"
          x1={percent(undetectable.low)}
          x2={percent(undetectable.high)}
          y1={ROW / 2}
          y2={ROW / 2}
        />
      )}
      {isNamed && undetectable !== null ? (
        <text
          className="strip-blind-name"
          x={percent(zeroAt(ticks))}
          dx={-6}
          y={ROW / 2 + 4}
          textAnchor="end"
        >
          too small to detect
        </text>
      ) : null}
      <StripMark interval={interval} group={group} y={ROW / 2} size={11} isHollow={!isClear} />
    </Strip>
  );
}

export function DifferenceStrip({
  interval,
  ticks,
  title,
}: Pick<DifferenceAxis, "ticks"> & { interval: PlacedInterval; title: string }) {
  return (
    <Strip title={title} height={40} ticks={ticks}>
      <StripMark interval={interval} group={PLAIN} y={20} size={11} />
    </Strip>
  );
}

export function DifferenceScale({ ticks }: Pick<DifferenceAxis, "ticks">) {
  return <StripNumbers ticks={selectOuterTicks(ticks)} />;
}
