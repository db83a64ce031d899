"use client";

import { Line, LineChart, Tooltip, useActiveTooltipLabel, useIsTooltipActive, XAxis, YAxis } from "recharts";

import { AgentMark, AgentShape } from "@/components/ui/agent-mark";
import { percent } from "@/components/ui/interval-plot";
import type { CurveChart } from "@/lib/core/charts/curve-chart";
import { PLOT_HEIGHT } from "@/lib/core/charts/curve-layout";
import { formatRange, formatReward } from "@/lib/core/format/number";

/**
 * Recharts finds k; this draws the values there as the plot below does. Recharts 3 draws nothing without effects, so neither the first
 * frame nor files could come from it: `renderToStaticMarkup` of a `ComposedChart` of a fixed size gives an empty element.
 */
export function CurveValues({ chart }: { chart: CurveChart }) {
  const places = new Map(chart.series.flatMap(({ points }) => points.map(({ k, at }) => [k, at] as const)));
  const rows = Array.from(places, ([k, at]) => ({ k, at, top: 0 })).sort((a, b) => a.k - b.k);
  const findK = (at: unknown) => rows.find((row) => row.at === Number(at))?.k;
  return (
    <LineChart
      responsive
      className="curve-hover"
      style={{ position: "absolute", inset: 0, zIndex: 1 }}
      data={rows}
      margin={{ left: 0, right: 0, top: 0, bottom: 0 }}
      accessibilityLayer
      title={`Values of ${chart.title} at each k`}
    >
      <XAxis dataKey="at" type="number" domain={[0, 1]} hide />
      <YAxis domain={[0, 1]} hide />
      <Line dataKey="top" stroke="none" dot={false} activeDot={false} isAnimationActive={false} />
      <ActiveMarks chart={chart} findK={findK} />
      <Tooltip
        cursor={false}
        isAnimationActive={false}
        offset={14}
        content={({ active, label }) => {
          const k = findK(label);
          return active && k !== undefined ? <Tip chart={chart} k={k} /> : null;
        }}
      />
    </LineChart>
  );
}

function listPoints({ series }: CurveChart, k: number) {
  return series.flatMap(({ group, points, recorded }) => {
    const point = points.find((one) => one.k === k);
    return point === undefined ? [] : [{ group, ...point, mark: recorded.find((one) => one.k === k) }];
  });
}

function ActiveMarks({ chart, findK }: { chart: CurveChart; findK: (at: unknown) => number | undefined }) {
  const isActive = useIsTooltipActive();
  const k = findK(useActiveTooltipLabel());
  if (!isActive || k === undefined) return null;
  const points = listPoints(chart, k);
  const x = percent(points[0]?.at ?? 0);
  return (
    <>
      <line x1={x} x2={x} y1={0} y2={PLOT_HEIGHT} stroke="var(--muted)" />
      {points.map(({ group, at, top }) => (
        <svg key={group.id} className="curve-active" x={percent(at)} y={top * PLOT_HEIGHT} overflow="visible">
          <AgentShape group={group} size={13} />
        </svg>
      ))}
    </>
  );
}

function Tip({ chart, k }: { chart: CurveChart; k: number }) {
  const points = listPoints(chart, k);
  const difference = chart.differences.find((one) => one.k === k);
  const counts = new Set(points.map(({ nTasks }) => nTasks));
  return (
    <div className="curve-tip caption" role="status">
      <b>
        {chart.title}, k = {k}
      </b>
      {counts.size === 1 ? `, ${[...counts].join("")} tasks` : ""}
      <table>
        <tbody>
          {points.map(({ group, value, band, mark, nTasks }) => (
            <tr key={group.id}>
              <td className="cut">
                <AgentMark {...group} size={12} /> {group.label}
              </td>
              <td>
                <b>{formatReward(value)}</b>
              </td>
              <td>{band === null ? "no interval" : formatRange(band)}</td>
              {mark === undefined ? null : <td>Harbor {formatReward(mark.value)}</td>}
              {counts.size > 1 ? <td>{nTasks} tasks</td> : null}
            </tr>
          ))}
          {difference === undefined ? null : (
            <tr>
              <td>Difference</td>
              <td colSpan={2}>{difference.words}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
