import type { CurveChart, CurveSeries } from "@/lib/charts/curve-chart";
import { fitLabels, type FittedLabels } from "@/lib/charts/curve-labels";
import {
  CURVE_LAYOUT,
  LABEL_PLACES,
  PATH_SIZE,
  PLOT_HEIGHT,
  RECORDED_RADIUS,
} from "@/lib/charts/curve-layout";
import { selectForm } from "@/lib/charts/chart-group";

import { CurveHover } from "./curve-hover";
import { colourOf, GroupShape } from "./group-mark";

import "./curve-figure.css";

/** Right of every plot, for a marker at its edge; as in the sheet. */
const LEAST_ROOM = 12;

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

/**
 * Curves with their bands for whatever width the page gives: places across are shares, text and lines keep their size.
 * `room` is what names beside the plot may take, in pixels; a narrow page leaves them to the lines below the chart.
 */
export function CurveFigure({ chart, room }: { chart: CurveChart; room: number }) {
  return (
    <figure className="curve">
      <figcaption className="curve-head">
        <b>{chart.title}</b>
        <span className="curve-note" title={chart.note}>
          {chart.note}
        </span>
      </figcaption>
      <div className="curve-body" style={{ height: CURVE_LAYOUT.height }}>
        <div className="curve-plot" style={{ width: `calc(100% - ${Math.max(0, room - LEAST_ROOM)}px)` }}>
          <svg className="curve-svg" role="img" aria-label={chart.summary} height={PLOT_HEIGHT}>
            <Axes chart={chart} />
            <svg
              viewBox={`0 0 ${PATH_SIZE} ${PATH_SIZE}`}
              preserveAspectRatio="none"
              width="100%"
              height={PLOT_HEIGHT}
            >
              {chart.series.map((series) => (
                <SeriesPaths key={series.group.id} series={series} opacity={chart.bandOpacity} />
              ))}
            </svg>
            {chart.series.map((series) => (
              <SeriesMarks key={series.group.id} series={series} />
            ))}
            {fitLabels(chart, room).labels.map((label) => (
              <Label key={label.group.id} label={label} />
            ))}
          </svg>
          {chart.xTicks.length > 1 ? <CurveHover chart={chart} /> : null}
        </div>
      </div>
    </figure>
  );
}

function Axes({ chart }: { chart: CurveChart }) {
  return (
    <>
      {chart.yTicks.map((tick) => {
        const y = (1 - tick.at) * PLOT_HEIGHT;
        return (
          <g key={tick.value}>
            <line className={tick.value === 0 ? "curve-axis" : "curve-grid"} x1="0" x2="100%" y1={y} y2={y} />
            <text className="curve-y-tick" x={-8} y={y + 4} textAnchor="end">
              {tick.label}
            </text>
          </g>
        );
      })}
      {chart.xTicks.map((tick) => (
        <text
          key={tick.value}
          className={tick.value === chart.chosen?.k ? "curve-x-tick curve-chosen-tick" : "curve-x-tick"}
          x={percent(tick.at)}
          y={PLOT_HEIGHT + 18}
          textAnchor="middle"
        >
          {tick.label}
        </text>
      ))}
      <text x="50%" y={PLOT_HEIGHT + 36} textAnchor="middle">
        k (attempts)
      </text>
      {chart.corners === null ? null : (
        <>
          <text x="100%" dx={-6} y={14} textAnchor="end">
            {chart.corners.above}
          </text>
          <text x="100%" dx={-6} y={PLOT_HEIGHT - 6} textAnchor="end">
            {chart.corners.below}
          </text>
        </>
      )}
      {chart.chosen === null ? null : (
        <line
          className="curve-chosen"
          x1={percent(chart.chosen.at)}
          x2={percent(chart.chosen.at)}
          y1="0"
          y2={PLOT_HEIGHT}
        />
      )}
    </>
  );
}

function SeriesPaths({ series, opacity }: { series: CurveSeries; opacity: number }) {
  const colour = colourOf(series.group);
  return (
    <g className="curve-series">
      {series.bands.map((band) => (
        <path className="curve-band" key={band} d={band} fill={colour} fillOpacity={opacity} />
      ))}
      <path
        className="curve-line"
        d={series.line}
        stroke={colour}
        strokeDasharray={selectForm(series.group).dash}
      />
    </g>
  );
}

function SeriesMarks({ series }: { series: CurveSeries }) {
  const colour = colourOf(series.group);
  return (
    <g className="curve-series">
      {series.whiskers.map(({ k, at, lowTop, highTop }) => (
        <line
          key={k}
          className="curve-whisker"
          stroke={colour}
          x1={percent(at)}
          x2={percent(at)}
          y1={lowTop * PLOT_HEIGHT}
          y2={highTop * PLOT_HEIGHT}
        />
      ))}
      {series.points.map((point) => (
        <svg key={point.k} x={percent(point.at)} y={point.top * PLOT_HEIGHT} className="curve-point">
          <GroupShape group={series.group} />
        </svg>
      ))}
      {series.recorded.map((mark) => (
        <circle
          key={mark.k}
          className="curve-recorded"
          cx={percent(mark.at)}
          cy={mark.top * PLOT_HEIGHT}
          r={RECORDED_RADIUS}
          stroke={colour}
        />
      ))}
    </g>
  );
}

function Label({ label: { group, name, value, top } }: { label: FittedLabels["labels"][number] }) {
  return (
    <svg x="100%" y={top * PLOT_HEIGHT} className="curve-label">
      <title>{group.label}</title>
      <g transform={`translate(${LABEL_PLACES.marker} 0)`}>
        <GroupShape group={group} size={9} />
      </g>
      <text x={LABEL_PLACES.text} y={4}>
        {name}
        <tspan className="curve-value" dx={LABEL_PLACES.gap}>
          {value}
        </tspan>
      </text>
    </svg>
  );
}
