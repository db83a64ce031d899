"use client";

import { Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";

import type { CurveChart, CurveSeries } from "@/lib/charts/curve-chart";
import { PLOT_HEIGHT } from "@/lib/charts/curve-layout";
import { formatPoints, formatReward } from "@/lib/format/number";

import { GroupMark, GroupShape } from "./group-mark";

/** What {@link CurveValues} needs: the chart, and the width of its plot in pixels. */
export interface CurveValuesProps {
  readonly chart: CurveChart;
  readonly width: number;
}

/** Places of one k as the chart's model has them: shares of the plot from the left, and of each series from above. */
type Row = Readonly<Record<string, number | null>>;

function listRows({ series }: CurveChart): Row[] {
  const places = new Map(series.flatMap(({ points }) => points.map(({ k, at }) => [k, at] as const)));
  return [...places]
    .sort(([a], [b]) => a - b)
    .map(([k, at]) => {
      const tops = series.map(({ points }, index) => {
        return [`top${index}`, points.find((point) => point.k === k)?.top ?? null] as const;
      });
      return { k, at, ...Object.fromEntries(tops) };
    });
}

/** The values at one k, by the pointer or the arrow keys; larger marks on the curves, which it does not draw again. */
export function CurveValues({ chart, width }: CurveValuesProps) {
  const rows = listRows(chart);
  const ks = new Map(rows.map((row) => [row["at"], Number(row["k"])]));
  return (
    <LineChart
      width={width}
      height={PLOT_HEIGHT}
      data={rows}
      margin={{ left: 0, right: 0, top: 0, bottom: 0 }}
      accessibilityLayer
      title={`Values of ${chart.title} at each k`}
    >
      <XAxis dataKey="at" type="number" domain={[0, 1]} hide />
      <YAxis domain={[0, 1]} reversed hide />
      {chart.series.map((series, index) => (
        <Line
          key={series.group.id}
          dataKey={`top${index}`}
          stroke="none"
          dot={false}
          activeDot={({ cx, cy }: ActivePlace) => <ActiveMark cx={cx} cy={cy} series={series} />}
          isAnimationActive={false}
        />
      ))}
      <Tooltip
        cursor={{ stroke: "var(--muted)", strokeWidth: 1 }}
        isAnimationActive={false}
        offset={14}
        content={({ active, label }) => {
          const k = ks.get(Number(label));
          return active && k !== undefined ? <Tip chart={chart} k={k} /> : null;
        }}
      />
    </LineChart>
  );
}

interface ActivePlace {
  readonly cx?: number | undefined;
  readonly cy?: number | undefined;
}

function ActiveMark({ cx, cy, series }: ActivePlace & { readonly series: CurveSeries }) {
  if (cx === undefined || cy === undefined || Number.isNaN(cy)) return null;
  return (
    <g className="curve-active" transform={`translate(${cx} ${cy})`}>
      <GroupShape group={series.group} size={13} />
    </g>
  );
}

function listValues(chart: CurveChart, k: number) {
  const format = chart.kind === "difference" ? formatPoints : formatReward;
  return chart.series.flatMap(({ group, points, recorded }) => {
    const point = points.find((one) => one.k === k);
    if (point === undefined) return [];
    const { value, low, high, nTasks } = point;
    const mark = recorded.find((one) => one.k === k);
    return {
      group,
      nTasks,
      value: format(value),
      interval: low === null || high === null ? "no interval" : `${format(low)} to ${format(high)}`,
      recorded: mark === undefined ? null : format(mark.value),
    };
  });
}

function Tip({ chart, k }: { chart: CurveChart; k: number }) {
  const values = listValues(chart, k);
  const counts = new Set(values.map(({ nTasks }) => nTasks));
  return (
    <div className="curve-tip" role="status">
      <b>
        {chart.title}, k = {k}
      </b>
      {counts.size === 1 ? `, ${[...counts].join("")} tasks` : ""}
      <table>
        <tbody>
          {values.map((row) => (
            <tr key={row.group.id}>
              <td className="cut">
                {chart.kind === "difference" ? null : <GroupMark group={row.group} />} {row.group.label}
              </td>
              <td>
                <b>{row.value}</b>
              </td>
              <td>{row.interval}</td>
              {row.recorded === null ? null : <td>Harbor {row.recorded}</td>}
              {counts.size > 1 ? <td>{row.nTasks} tasks</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
