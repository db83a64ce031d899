"use client";

import { type KeyboardEvent, type PointerEvent, useState } from "react";

import type { CurveChart } from "@/lib/charts/curve-chart";
import { formatPoints, formatReward } from "@/lib/format/number";

import { GroupMark } from "./group-mark";

/** Values at the k under the pointer, or at the one that the arrow keys choose; a layer over the plot that draws no curve. */
export function CurveHover({ chart }: { chart: CurveChart }) {
  const [shown, setShown] = useState<number | null>(null);
  const places = new Map(chart.series.flatMap(({ points }) => points.map(({ k, at }) => [k, at] as const)));
  const ks = [...places.keys()].sort((a, b) => a - b);
  const last = ks.length - 1;
  const current = shown ?? chart.chosen?.k ?? ks[last] ?? 1;

  const follow = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const distance = (k: number) => Math.abs((places.get(k) ?? 0) - (clientX - left) / width);
    setShown(ks.reduce((nearest, k) => (distance(k) < distance(nearest) ? k : nearest), current));
  };
  const step = (event: KeyboardEvent) => {
    const index = ks.indexOf(current);
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setShown(ks[Math.min(last, Math.max(0, next))] ?? current);
    } else if (event.key === "Escape") setShown(null);
  };

  return (
    <div
      className="curve-hover"
      role="slider"
      tabIndex={0}
      aria-label={`k of ${chart.title}`}
      aria-valuemin={ks[0]}
      aria-valuemax={ks[last]}
      aria-valuenow={current}
      aria-valuetext={describeValues(chart, current)}
      onPointerMove={follow}
      onPointerLeave={() => setShown(null)}
      onKeyDown={step}
      onFocus={(event) => {
        if (event.currentTarget.matches(":focus-visible")) setShown(current);
      }}
      onBlur={() => setShown(null)}
    >
      {shown === null ? null : <Tip chart={chart} k={shown} at={places.get(shown) ?? 0} />}
    </div>
  );
}

function listRows(chart: CurveChart, k: number) {
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

function describeValues(chart: CurveChart, k: number): string {
  const rows = listRows(chart, k).map(({ group, value, interval }) => `${group.label} ${value} ${interval}`);
  return [`k = ${k}`, ...rows].join("; ");
}

function Tip({ chart, k, at }: { chart: CurveChart; k: number; at: number }) {
  const rows = listRows(chart, k);
  const counts = new Set(rows.map(({ nTasks }) => nTasks));
  const side = at > 0.5 ? { right: `${(1 - at) * 100}%` } : { left: `${at * 100}%` };
  return (
    <>
      <span className="curve-cursor" style={{ left: `${at * 100}%` }} />
      <div className="curve-tip" style={side} aria-hidden="true">
        <b>
          {chart.title}, k = {k}
        </b>
        {counts.size === 1 ? `, ${[...counts].join("")} tasks` : ""}
        <table>
          <tbody>
            {rows.map((row) => (
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
    </>
  );
}
