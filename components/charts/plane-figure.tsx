"use client";

import { AgentShape, colourOf } from "@/components/ui/agent-mark";
import { percent } from "@/components/ui/interval-plot";
import type { PlacedInterval } from "@/lib/core/charts/interval-strip";
import { listTurns, type PlaneChart } from "@/lib/core/charts/plane-chart";

import "./plane-figure.css";

const HEIGHT = 240;
/** Side of the square for lines before they are stretched over the plot. */
const PATH_SIZE = 1000;

function place(up: number): number {
  return Number(((1 - up) * HEIGHT).toFixed(2));
}

type Point = PlaneChart["points"][number];

export function PlaneFigure({ chart }: { chart: PlaneChart }) {
  return (
    <figure className="plane">
      <figcaption>
        <b>{chart.title}</b>
      </figcaption>
      <svg className="plane-plot" role="img" aria-label={chart.summary} height={HEIGHT}>
        <Axes chart={chart} />
        <svg
          viewBox={`0 0 ${PATH_SIZE} ${PATH_SIZE}`}
          preserveAspectRatio="none"
          width="100%"
          height={HEIGHT}
          overflow="visible"
        >
          {chart.lines.map((line) => (
            <path
              key={line.id}
              className={`plane-${line.kind}`}
              d={drawLine(line)}
              stroke={line.group === null ? "var(--line-strong)" : colourOf(line.group)}
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </svg>
        {chart.points.map((point, at) => (
          <Mark key={at} point={point} />
        ))}
      </svg>
    </figure>
  );
}

function Axes({ chart: { xTicks, yTicks, xTitle } }: { chart: PlaneChart }) {
  return (
    <>
      {yTicks.map(({ value, label, at }) => (
        <g key={value}>
          <line
            className={value === 0 ? "plane-zero" : "plane-grid"}
            x1="0"
            x2="100%"
            y1={place(at)}
            y2={place(at)}
          />
          <text x={-8} y={place(at) + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      <line className="plane-zero" x1="0" x2="0" y1="0" y2={HEIGHT} />
      {xTicks.map(({ value, label, at }) => (
        <text key={value} x={percent(at)} y={HEIGHT + 18} textAnchor={at > 0.98 ? "end" : "middle"}>
          {label}
        </text>
      ))}
      <text x="50%" y={HEIGHT + 36} textAnchor="middle">
        {xTitle}
      </text>
    </>
  );
}

function drawLine(line: PlaneChart["lines"][number]): string {
  const turns = listTurns(line).map(({ at, up }) =>
    [at, 1 - up].map((value) => (value * PATH_SIZE).toFixed(1)).join(" "),
  );
  return turns.length === 0 ? "" : `M${turns.join("L")}`;
}

function Mark({ point: { group, name, x, y, label, isFaint, title } }: { point: Point }) {
  const left = percent(x.at);
  const top = place(y.at);
  return (
    <g className={isFaint ? "plane-faint" : undefined} stroke={colourOf(group)}>
      <title>{title}</title>
      <Whiskers x={x} y={y} />
      <svg className="plane-mark" x={left} y={top} stroke="none">
        <AgentShape group={group} size={11} />
        {label === null ? null : (
          <text className="plane-name" x={label.dx} y={label.dy} textAnchor={label.anchor}>
            {name}
          </text>
        )}
      </svg>
    </g>
  );
}

function Whiskers({ x, y }: { x: PlacedInterval; y: PlacedInterval }) {
  const top = place(y.at);
  return (
    <>
      {x.line === null ? null : (
        <line
          className="plane-interval"
          x1={percent(x.line.from)}
          x2={percent(x.line.to)}
          y1={top}
          y2={top}
        />
      )}
      {y.line === null ? null : (
        <line
          className="plane-interval"
          x1={percent(x.at)}
          x2={percent(x.at)}
          y1={place(y.line.from)}
          y2={place(y.line.to)}
        />
      )}
    </>
  );
}
