"use client";

import { Area, ComposedChart, Line, Tooltip, XAxis, YAxis } from "recharts";

import { CURVE_LAYOUT, type CurveChart, type CurveSeries } from "@/lib/charts/curve-chart";
import { formatPoints, formatReward } from "@/lib/format/number";

import { colourOf, dashOf, GroupMark, GroupShape } from "./group-mark";

type Row = Readonly<Record<string, number | readonly [number, number] | null>>;

/** One row for each k, with value, band and recorded value of every series; null leaves a gap. */
function listRows(chart: CurveChart): Row[] {
  const ks = [...new Set(chart.series.flatMap(({ points }) => points.map(({ k }) => k)))].sort(
    (a, b) => a - b,
  );
  return ks.map((k) => {
    const row: Record<string, number | readonly [number, number] | null> = { k };
    chart.series.forEach((series, index) => {
      const point = series.points.find((one) => one.k === k);
      row[`value${index}`] = point?.value ?? null;
      row[`band${index}`] =
        point === undefined || point.low === null ? null : [point.low, point.high ?? point.low];
      row[`recorded${index}`] = series.recorded.find((one) => one.k === k)?.value ?? null;
    });
    return row;
  });
}

interface DotProps {
  readonly cx?: number | undefined;
  readonly cy?: number | undefined;
  readonly index?: number | undefined;
}

function Dot({ cx, cy, series, size }: DotProps & { series: CurveSeries; size: number }) {
  if (cx === undefined || cy === undefined || Number.isNaN(cy)) return null;
  return (
    <g transform={`translate(${cx} ${cy})`}>
      <GroupShape group={series.group} size={size} />
    </g>
  );
}

function RecordedDot({ cx, cy, series }: DotProps & { series: CurveSeries }) {
  if (cx === undefined || cy === undefined || Number.isNaN(cy)) return null;
  return <circle className="curve-recorded" cx={cx} cy={cy} r={7.5} stroke={colourOf(series.group)} />;
}

/** The same curves drawn by recharts over the server's frame, with values at the pointer or by arrow keys. */
export function CurveDrawing({ chart, right, width }: { chart: CurveChart; right: number; width: number }) {
  const { height, left, top, bottom } = CURVE_LAYOUT;
  return (
    <ComposedChart
      width={width}
      height={height}
      data={listRows(chart)}
      margin={{ left, right, top, bottom }}
      accessibilityLayer
      title={chart.summary}
    >
      <XAxis dataKey="k" type="number" domain={[chart.xDomain.low, chart.xDomain.high]} hide />
      <YAxis domain={[chart.yDomain.low, chart.yDomain.high]} hide />
      {chart.series.map((series, index) => (
        <Area
          key={`band-${series.group.id}`}
          dataKey={`band${index}`}
          type="linear"
          stroke="none"
          fill={colourOf(series.group)}
          fillOpacity={chart.bandOpacity}
          isAnimationActive={false}
          activeDot={false}
          tooltipType="none"
        />
      ))}
      {chart.series.map((series, index) => (
        <Line
          key={`line-${series.group.id}`}
          dataKey={`value${index}`}
          type="linear"
          stroke={colourOf(series.group)}
          strokeWidth={1.75}
          strokeDasharray={dashOf(series.group) ?? ""}
          isAnimationActive={false}
          dot={({ cx, cy, index: at }: DotProps) => (
            <Dot key={at} cx={cx} cy={cy} series={series} size={10} />
          )}
          activeDot={({ cx, cy }: DotProps) => <Dot cx={cx} cy={cy} series={series} size={13} />}
        />
      ))}
      {chart.series.map((series, index) => (
        <Line
          key={`recorded-${series.group.id}`}
          dataKey={`recorded${index}`}
          stroke="none"
          isAnimationActive={false}
          activeDot={false}
          tooltipType="none"
          dot={({ cx, cy, index: at }: DotProps) => <RecordedDot key={at} cx={cx} cy={cy} series={series} />}
        />
      ))}
      <Tooltip
        cursor={{ stroke: "var(--muted)", strokeWidth: 1 }}
        isAnimationActive={false}
        offset={14}
        content={({ active, label }) => (active ? <CurveTip chart={chart} k={Number(label)} /> : null)}
      />
    </ComposedChart>
  );
}

function CurveTip({ chart, k }: { chart: CurveChart; k: number }) {
  const format = chart.kind === "difference" ? formatPoints : formatReward;
  const rows = chart.series.flatMap((series) => {
    const point = series.points.find((one) => one.k === k);
    const recorded = series.recorded.find((one) => one.k === k);
    return point === undefined ? [] : [{ series, point, recorded }];
  });
  const counts = [...new Set(rows.map(({ point }) => point.nTasks))];
  return (
    <div className="curve-tip" role="status">
      <b>
        {chart.kind === "difference" ? "Difference" : chart.title}, k = {k}
      </b>
      {counts.length === 1 ? `, ${counts[0]} tasks` : ""}
      <table>
        <tbody>
          {rows.map(({ series, point, recorded }) => (
            <tr key={series.group.id}>
              <td className="cut">
                {chart.kind === "difference" ? null : <GroupMark group={series.group} />} {series.group.label}
              </td>
              <td>
                <b>{format(point.value)}</b>
              </td>
              <td>
                {point.low === null
                  ? "no interval"
                  : `[${format(point.low)}, ${format(point.high ?? point.low)}]`}
              </td>
              {recorded === undefined ? null : <td>Harbor {format(recorded.value)}</td>}
              {counts.length > 1 ? <td>{point.nTasks} tasks</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
