"use client";

import { AgentShape, colourOf } from "@/components/ui/agent-mark";
import { percent } from "@/components/ui/interval-plot";
import { listTurns, type PlaneChart } from "@/lib/core/charts/plane-chart";

import { type Corner, drawLine, placeDown, PlotAxes, PlotPaths } from "./plot";

/** More points do not fit on a phone with their names. */
const MOST_NARROW = 3;

type Point = PlaneChart["points"][number];

export function PlaneFigure({ chart, height = 240 }: { chart: PlaneChart; height?: number }) {
  return (
    <figure className={chart.points.length > MOST_NARROW ? "plane plane-wide" : "plane"}>
      <figcaption>
        <b>{chart.title}</b>
      </figcaption>
      <svg className="plot plane-plot" role="img" aria-label={chart.summary} height={height}>
        <PlotAxes {...chart} height={height} />
        <line x1="0" x2="0" y1="0" y2={height} stroke="var(--line-strong)" shapeRendering="crispEdges" />
        <PlotPaths height={height}>
          {chart.lines.map((line) => (
            <path
              key={line.id}
              className={`plane-${line.kind}`}
              d={drawLine(listTurns(line).map(({ at, up }): Corner => [at, 1 - up]))}
              stroke={line.group === null ? "var(--line-strong)" : colourOf(line.group)}
              vectorEffect="non-scaling-stroke"
            />
          ))}
        </PlotPaths>
        {chart.points.map((point, at) => (
          <Mark key={at} point={point} place={(up) => placeDown(1 - up, height)} />
        ))}
      </svg>
    </figure>
  );
}

interface MarkProps {
  readonly point: Point;
  readonly place: (up: number) => number;
}

function Mark({ point, place }: MarkProps) {
  const { group, name, x, y, label, isFaint, title } = point;
  return (
    <g className={isFaint ? "plane-faint" : undefined} stroke={colourOf(group)}>
      <title>{title}</title>
      <Whiskers point={point} place={place} />
      <svg className="plane-mark" x={percent(x.at)} y={place(y.at)} stroke="none">
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

function Whiskers({ point: { x, y }, place }: MarkProps) {
  const [left, top] = [percent(x.at), place(y.at)];
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
        <line className="plane-interval" x1={left} x2={left} y1={place(y.line.from)} y2={place(y.line.to)} />
      )}
    </>
  );
}
