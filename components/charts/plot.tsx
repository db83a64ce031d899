import type { ReactNode } from "react";

import { AgentShape, colourOf } from "@/components/ui/agent-mark";
import { percent } from "@/components/ui/interval-plot";
import type { CurveChart, CurveSeries } from "@/lib/core/charts/curve-chart";
import { type FittedLabels, LABEL_PLACES, PLOT_HEIGHT } from "@/lib/core/charts/curve-layout";
import { selectForm } from "@/lib/core/charts/identity";
import type { Tick } from "@/lib/core/charts/ticks";
import { formatReward } from "@/lib/core/format/number";

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

/** Ring radius around a value recorded by Harbor, in pixels. */
const RECORDED_RADIUS = 7.5;

/** Positions are shares of the width; text and lines keep their size. Styled by attributes, so no style sheet is needed. */
export function CurvePlot({ chart, labels }: { chart: CurveChart; labels: FittedLabels["labels"] }) {
  return (
    <>
      <PlotAxes {...chart} xTitle="k (attempts)" height={PLOT_HEIGHT} chosen={chart.chosen?.k} />
      {chart.chosen === null ? null : (
        <line
          x1={percent(chart.chosen.at)}
          x2={percent(chart.chosen.at)}
          y1="0"
          y2={PLOT_HEIGHT}
          stroke="var(--ink)"
          strokeDasharray="2 3"
          shapeRendering="crispEdges"
        />
      )}
      <PlotPaths height={PLOT_HEIGHT}>
        {chart.series.map((series) => (
          <SeriesPaths key={series.group.id} series={series} opacity={chart.bandOpacity} />
        ))}
      </PlotPaths>
      {chart.series.map((series) => (
        <SeriesMarks key={series.group.id} series={series} />
      ))}
      {labels.map((label) => (
        <Label key={label.group.id} label={label} />
      ))}
    </>
  );
}

function SeriesPaths({ series: { group, points, runs }, opacity }: { series: CurveSeries; opacity: number }) {
  const colour = colourOf(group);
  const bands = runs.filter((run) => run.length > 1);
  return (
    <g className="curve-series">
      {bands.map((run) => {
        const upper = run.map(({ at, highTop }): Corner => [at, highTop]);
        const lower = run.map(({ at, lowTop }): Corner => [at, lowTop]).reverse();
        const d = `${drawLine([...upper, ...lower])}Z`;
        return <path key={d} className="curve-band" d={d} fill={colour} fillOpacity={opacity} />;
      })}
      <path
        className="curve-line"
        d={drawLine(points.map(({ at, top }): Corner => [at, top]))}
        fill="none"
        stroke={colour}
        strokeWidth={1.75}
        strokeLinejoin="round"
        strokeDasharray={selectForm(group).dash || undefined}
        vectorEffect="non-scaling-stroke"
      />
    </g>
  );
}

function SeriesMarks({ series }: { series: CurveSeries }) {
  const { group, points, runs, recorded } = series;
  const colour = colourOf(group);
  const whiskers = runs.filter((run) => run.length === 1).flat();
  return (
    <g className="curve-series">
      {whiskers.map(({ at, lowTop, highTop }) => (
        <line
          key={at}
          className="curve-whisker"
          stroke={colour}
          strokeWidth={1.75}
          x1={percent(at)}
          x2={percent(at)}
          y1={lowTop * PLOT_HEIGHT}
          y2={highTop * PLOT_HEIGHT}
        />
      ))}
      {points.map(({ k, at, top, value }) => (
        <svg key={k} className="curve-point" x={percent(at)} y={top * PLOT_HEIGHT} overflow="visible">
          <title>{`${group.label}, k = ${k}: ${formatReward(value)}`}</title>
          <AgentShape group={group} />
        </svg>
      ))}
      {recorded.map(({ k, at, top }) => (
        <circle
          key={k}
          className="curve-recorded"
          cx={percent(at)}
          cy={top * PLOT_HEIGHT}
          r={RECORDED_RADIUS}
          fill="none"
          stroke={colour}
          strokeWidth={1.25}
        />
      ))}
    </g>
  );
}

function Label({ label: { group, name, value, top } }: { label: FittedLabels["labels"][number] }) {
  return (
    <svg x="100%" y={top * PLOT_HEIGHT} className="curve-label" overflow="visible">
      <title>{group.label}</title>
      <g transform={`translate(${LABEL_PLACES.marker} 0)`}>
        <AgentShape group={group} size={9} />
      </g>
      <text x={LABEL_PLACES.text} y={4} fill="var(--ink)">
        {name}
        <tspan fontWeight={600} dx={LABEL_PLACES.gap}>
          {value}
        </tspan>
      </text>
    </svg>
  );
}
