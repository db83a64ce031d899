"use client";

import { percent, PLAIN, Strip, StripMark, StripNumbers, TickNumbers } from "@/components/ui/interval-plot";
import type { ChartGroup } from "@/lib/core/charts/chart-group";
import type { DifferenceAxis } from "@/lib/core/charts/difference-axis";
import type { Identified } from "@/lib/core/charts/identity";
import { type PlacedInterval, placeInterval, withBounds } from "@/lib/core/charts/interval-strip";
import { selectOuterTicks, type Span } from "@/lib/core/charts/ticks";

import "./strips.css";

export function DifferencePlot({
  axis,
  group = PLAIN,
  compact = false,
}: {
  axis: DifferenceAxis;
  group?: Identified;
  compact?: boolean;
}) {
  const { ticks, interval, undetectable, summary } = axis;
  const blind = (y: number) =>
    undetectable === null ? null : (
      <line
        className="strip-blind"
        x1={percent(undetectable.low)}
        x2={percent(undetectable.high)}
        y1={y}
        y2={y}
      />
    );
  if (compact) {
    return (
      <Strip title={summary} height={32} ticks={ticks}>
        {blind(26)}
        <StripMark interval={interval} group={group} y={12} size={13} />
      </Strip>
    );
  }
  return (
    <Strip title={summary} height={62} bottom={44} ticks={ticks}>
      <TickNumbers ticks={ticks} y={58} />
      {blind(36)}
      <StripMark interval={interval} group={PLAIN} y={16} size={15} />
    </Strip>
  );
}

export function BaselinePlot({ ticks, group }: Pick<DifferenceAxis, "ticks"> & { group: Identified }) {
  const zero = ticks.find(({ value }) => value === 0);
  return (
    <Strip title="Baseline, difference 0" height={24} ticks={zero === undefined ? [] : [zero]}>
      {zero === undefined ? null : (
        <StripMark
          interval={{ at: zero.at, beyond: null, line: null, caps: [] }}
          group={group}
          y={12}
          size={13}
        />
      )}
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

const SHARE_HEIGHT = 27;
const SHARE_LINES = [0, 0.5, 1].map((at) => ({ value: Number.NaN, at }));

/** Joins groups from lowest to highest. Equal values are stacked: shifting them sideways would show a wrong value. */
export function ShareStrip({
  marks,
  scale,
  title,
}: {
  marks: readonly { readonly group: ChartGroup; readonly value: number | null }[];
  scale: Span;
  title: string;
}) {
  const placed = marks.flatMap(({ group, value }) =>
    value === null ? [] : [{ group, interval: placeInterval(withBounds(value), scale) }],
  );
  const places = placed.map(({ interval }) => interval.at);
  return (
    <Strip title={title} height={SHARE_HEIGHT} ticks={SHARE_LINES} className="strip">
      {placed.length > 1 ? (
        <line
          className="strip-link"
          x1={percent(Math.min(...places))}
          x2={percent(Math.max(...places))}
          y1={SHARE_HEIGHT / 2}
          y2={SHARE_HEIGHT / 2}
        />
      ) : null}
      {placed.map(({ group, interval }) => {
        const stack = placed.filter((other) => Math.abs(other.interval.at - interval.at) < 1e-9);
        const step = Math.min(10, 20 / stack.length);
        const offset =
          (stack.findIndex((other) => other.group.id === group.id) - (stack.length - 1) / 2) * step;
        return (
          <StripMark
            key={group.id}
            interval={interval}
            group={group}
            y={Number((SHARE_HEIGHT / 2 + offset).toFixed(2))}
            size={stack.length > 2 ? 8.5 : 11}
          />
        );
      })}
    </Strip>
  );
}
