import type { ReactNode } from "react";

import { percent } from "@/components/ui/interval-plot";
import type { Tick } from "@/lib/core/charts/ticks";

/** Side of the square for paths before they are stretched over the plot. */
const PATH_SIZE = 1000;

/** Shares of the plot's width from the left and of its height from above. */
export type Corner = readonly [at: number, top: number];

export function drawLine(corners: readonly Corner[]): string {
  const write = (share: number) => (share * PATH_SIZE).toFixed(1);
  const places = corners.map(([at, top]) => `${write(at)} ${write(top)}`);
  return places.length === 0 ? "" : `M${places.join("L")}`;
}

/** Stretches paths over the plot; their strokes keep their width. */
export function PlotPaths({ height, children }: { height: number; children: ReactNode }) {
  return (
    <svg
      viewBox={`0 0 ${PATH_SIZE} ${PATH_SIZE}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
      overflow="visible"
    >
      {children}
    </svg>
  );
}

/** Painted by attributes, so that files need no style sheet. */
export function PlotAxes({
  xTicks,
  yTicks,
  xTitle,
  height,
  chosen,
}: {
  xTicks: readonly Tick[];
  yTicks: readonly Tick[];
  xTitle: string;
  height: number;
  chosen?: number | undefined;
}) {
  return (
    <>
      {yTicks.map(({ value, label, at }) => {
        const y = placeDown(1 - at, height);
        return (
          <g key={value}>
            <line
              className="plot-grid"
              x1="0"
              x2="100%"
              y1={y}
              y2={y}
              stroke={value === 0 ? "var(--line-strong)" : "var(--line)"}
              shapeRendering="crispEdges"
            />
            <text className="plot-y-tick" x={-8} y={y + 4} textAnchor="end">
              {label}
            </text>
          </g>
        );
      })}
      {xTicks.map(({ value, label, at }) => (
        <text
          key={value}
          className="plot-x-tick"
          x={percent(at)}
          y={height + 18}
          // A long number at the right edge would leave the page.
          textAnchor={at > 0.98 && label.length > 2 ? "end" : "middle"}
          {...(value === chosen ? { fill: "var(--ink)", fontWeight: 600 } : {})}
        >
          {label}
        </text>
      ))}
      <text x="50%" y={height + 36} textAnchor="middle">
        {xTitle}
      </text>
    </>
  );
}

/** Returns pixels from above, to hundredths. */
export function placeDown(top: number, height: number): number {
  return Number((top * height).toFixed(2));
}
