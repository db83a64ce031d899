import type { ComponentProps, ReactNode } from "react";

import type { Identified } from "@/lib/core/charts/identity";
import { type PlacedInterval, placeInterval, type StripValue } from "@/lib/core/charts/interval-strip";
import { placeOn, type Tick } from "@/lib/core/charts/ticks";

import { AgentShape, colourOf } from "./agent-mark";
import type { ColumnMeta, DataColumn } from "./table-columns";

interface IntervalMark extends StripValue {
  readonly identity?: number | undefined;
  readonly reach?: { readonly from: number; readonly to: number };
  readonly other?: number | undefined;
}

/** Marks something that belongs to no agent. */
export const PLAIN: Identified = { identity: 0, isPlain: true };

/** Pixels on both sides of a scale for markers at its ends, as in the style sheet. */
const INSETS = 15;

export function percent(share: number): string {
  return `${Number((share * 100).toFixed(3))}%`;
}

export function IntervalPlot({
  mark,
  width = 108,
  end = 1,
  title,
}: {
  mark: IntervalMark | null;
  width?: number;
  end?: number;
  title: string;
}) {
  const scale = { low: 0, high: end };
  const { identity, reach, other } = mark ?? {};
  return (
    <svg className="interval-plot" width={width - INSETS} role="img">
      <title>{title}</title>
      {mark === null || reach === undefined ? null : (
        <line
          className="interval-reach"
          x1={percent(placeOn(reach.from, scale))}
          x2={percent(placeOn(reach.to, scale))}
          y1={18}
          y2={18}
        />
      )}
      {other === undefined ? null : (
        <line
          className="interval-other"
          x1={percent(placeOn(other, scale))}
          x2={percent(placeOn(other, scale))}
          y1={2}
          y2={18}
        />
      )}
      {mark === null ? null : (
        <StripMark
          interval={placeInterval(mark, scale)}
          group={identity === undefined ? PLAIN : { identity }}
          y={10}
        />
      )}
    </svg>
  );
}

/** Lines are painted by attributes, so that files need no style sheet. */
export function Strip({
  title,
  height,
  ticks,
  className = "strip strip-numbered",
  children,
}: {
  title: string;
  height: number;
  ticks: readonly Pick<Tick, "value" | "at">[];
  className?: string;
  children: ReactNode;
}) {
  return (
    <svg className={className} height={height} role="img" aria-label={title}>
      <title>{title}</title>
      {ticks.map(({ value, at }) => (
        <line
          key={at}
          className={value === 0 ? "strip-zero" : "strip-line"}
          x1={percent(at)}
          x2={percent(at)}
          y1={0}
          y2={height}
          stroke={value === 0 ? "var(--line-strong)" : "var(--line)"}
          shapeRendering="crispEdges"
        />
      ))}
      {children}
    </svg>
  );
}

export function StripNumbers({
  ticks,
  className = "strip strip-numbered",
}: {
  ticks: readonly Tick[];
  className?: string;
}) {
  return (
    <svg className={className} height={16} aria-hidden="true">
      {ticks.map(({ value, at, label }) => (
        <text key={value} x={percent(at)} y={12} textAnchor="middle">
          {label}
        </text>
      ))}
    </svg>
  );
}

export function StripMark({
  interval: { at, beyond, line, caps },
  group,
  y,
  size = 9,
  isHollow,
}: {
  interval: PlacedInterval;
  group: Identified;
  y: number;
  size?: number;
  /** By default as its identity. */
  isHollow?: boolean;
}) {
  const colour = colourOf(group);
  const cap = Number((size / 3).toFixed(2));
  return (
    <g stroke={colour} strokeWidth={1.75}>
      {line === null ? null : (
        <line className="strip-interval" x1={percent(line.from)} x2={percent(line.to)} y1={y} y2={y} />
      )}
      {caps.map((end) => (
        <line key={end} className="strip-cap" x1={percent(end)} x2={percent(end)} y1={y - cap} y2={y + cap} />
      ))}
      {Number.isNaN(at) ? null : (
        <svg
          className={beyond === null ? "strip-value" : "strip-beyond"}
          x={percent(at)}
          y={y}
          strokeWidth={0}
        >
          {beyond === null ? (
            <AgentShape group={group} size={size} isHollow={isHollow} />
          ) : (
            <path d={beyond === "low" ? "M-7 0 -1-4V4Z" : "M7 0 1-4V4Z"} fill={colour} />
          )}
        </svg>
      )}
    </g>
  );
}

export function IntervalScale({
  width = 108,
  end = 1,
  format = (value) => String(Number(value.toPrecision(3))),
}: {
  width?: number;
  end?: number;
  format?: (value: number) => string;
}) {
  return (
    <span className="interval-scale" style={{ width }} aria-hidden="true">
      {[0, end / 2, end].map((value) => (
        <span key={value}>{format(value)}</span>
      ))}
    </span>
  );
}

/** @param words - for assistive technology */
export function IntervalHeading({
  words = "Interval, on a scale from 0 to 1",
  ...scale
}: ComponentProps<typeof IntervalScale> & { words?: string }) {
  return (
    <>
      <span className="screen-reader">{words}</span>
      <IntervalScale {...scale} />
    </>
  );
}

/** A column of plots below one scale. */
export function intervalColumn<Row>(
  cell: DataColumn<Row>["cell"],
  heading: ComponentProps<typeof IntervalHeading> = {},
  meta: ColumnMeta = {},
): DataColumn<Row> {
  return {
    id: "interval",
    header: <IntervalHeading {...heading} />,
    meta: { className: "interval-cell", ...meta },
    cell,
  };
}
