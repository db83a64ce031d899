import {
  CURVE_LAYOUT,
  type CurveChart,
  type CurveSeries,
  type EndLabel,
  PATH_SIZE,
  PLOT_HEIGHT,
} from "@/lib/charts/curve-chart";

import { CurveHover } from "./curve-hover";
import { colourOf, dashOf, GroupShape } from "./group-mark";

import "./curve-figure.css";

const { height, left, top } = CURVE_LAYOUT;
const CHARACTER_WIDTH = 6.4;

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}

/** The end of a name stays: groups of one agent differ in their models, which stand there. */
function shorten(text: string, width: number): string {
  const length = Math.max(3, Math.floor(width / CHARACTER_WIDTH));
  return text.length <= length ? text : `…${text.slice(1 - length)}`;
}

/**
 * Curves with their bands, drawn on the server for whatever width the page gives: places across are shares, text and
 * lines keep their size. `right` is the room for names beside the plot, in pixels. The part that answers the pointer is
 * loaded later, takes the same model and lies exactly on top.
 */
export function CurveFigure({ chart, right }: { chart: CurveChart; right: number }) {
  return (
    <figure className="curve">
      <figcaption className="curve-head">
        <b>{chart.title}</b>
        <span className="curve-note" title={chart.note}>
          {chart.note}
        </span>
      </figcaption>
      <div className="curve-body" style={{ height }}>
        <svg
          className="curve-svg"
          role="img"
          aria-label={chart.summary}
          height={PLOT_HEIGHT}
          style={{ left, top, width: `calc(100% - ${left + right}px)` }}
        >
          <Axes chart={chart} />
          <g className="curve-data">
            <svg
              viewBox={`0 0 ${PATH_SIZE} ${PATH_SIZE}`}
              preserveAspectRatio="none"
              width="100%"
              height={PLOT_HEIGHT}
              className="curve-stretch"
            >
              {chart.series.map((series) => (
                <SeriesPaths key={series.group.id} series={series} opacity={chart.bandOpacity} />
              ))}
            </svg>
            {chart.series.map((series) => (
              <SeriesMarks key={series.group.id} series={series} />
            ))}
          </g>
          {chart.endLabels.map((label) => (
            <Label key={label.group.id} label={label} width={right - 12} />
          ))}
        </svg>
        {chart.xTicks.length > 1 ? <CurveHover chart={chart} right={right} /> : null}
      </div>
    </figure>
  );
}

function Axes({ chart }: { chart: CurveChart }) {
  return (
    <>
      {chart.yTicks.map((tick) => {
        const y = Math.round((1 - tick.at) * PLOT_HEIGHT);
        return (
          <g key={tick.value}>
            <line className={tick.value === 0 ? "curve-axis" : "curve-grid"} x1="0" x2="100%" y1={y} y2={y} />
            <text x={-8} y={y + 4} textAnchor="end">
              {tick.label}
            </text>
          </g>
        );
      })}
      {chart.xTicks.map((tick) => (
        <text
          key={tick.value}
          className={tick.value === chart.chosen?.k ? "curve-chosen-tick" : undefined}
          x={percent(tick.at)}
          y={PLOT_HEIGHT + 18}
          textAnchor="middle"
        >
          {tick.label}
        </text>
      ))}
      <text x="50%" y={PLOT_HEIGHT + 36} textAnchor="middle">
        k, attempts drawn
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
    <>
      {series.bands.map((band) => (
        <path key={band} d={band} fill={colour} fillOpacity={opacity} />
      ))}
      <path className="curve-line" d={series.line} stroke={colour} strokeDasharray={dashOf(series.group)} />
    </>
  );
}

function SeriesMarks({ series }: { series: CurveSeries }) {
  const only = series.points.length === 1 ? series.points[0] : undefined;
  return (
    <>
      {only === undefined ? null : <Whisker series={series} />}
      {series.points.map((point) => (
        <svg key={point.k} x={percent(point.at)} y={point.top * PLOT_HEIGHT} className="curve-place">
          <GroupShape group={series.group} />
        </svg>
      ))}
      {series.recorded.map((mark) => (
        <svg key={mark.k} x={percent(mark.at)} y={mark.top * PLOT_HEIGHT} className="curve-place">
          <circle className="curve-recorded" r={7.5} stroke={colourOf(series.group)} />
        </svg>
      ))}
    </>
  );
}

/** The interval of a single point, which has no band to lie in. */
function Whisker({ series }: { series: CurveSeries }) {
  const point = series.points[0];
  if (point?.low === null || point?.high === null || point === undefined) return null;
  const scale = (value: number) => (point.top + (point.value - value)) * PLOT_HEIGHT;
  return (
    <line
      className="curve-line"
      stroke={colourOf(series.group)}
      x1={percent(point.at)}
      x2={percent(point.at)}
      y1={scale(point.low)}
      y2={scale(point.high)}
    />
  );
}

function Label({ label, width }: { label: EndLabel; width: number }) {
  const room = width - label.value.length * CHARACTER_WIDTH - 6;
  return (
    <svg x="100%" y={label.top * PLOT_HEIGHT} className="curve-place">
      <text x={11} y={4} className="curve-label">
        <title>{label.group.label}</title>
        {shorten(label.group.label, room)} <tspan className="curve-value">{label.value}</tspan>
      </text>
    </svg>
  );
}
