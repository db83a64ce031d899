"use client";

import { DifferenceMark, zeroAt } from "@/components/charts/strips";
import { CommandKey } from "@/components/shell/command-key";
import { GroupName } from "@/components/ui/agent-name";
import { StripNumbers } from "@/components/ui/interval-plot";
import type { Tick } from "@/lib/core/charts/ticks";
import type { DifferenceRow } from "@/lib/pages/compare/answer";

import { useBaseline } from "./change-controls";

/** Rendered in the browser too: a row's data is a fifth of its markup. */
export function DifferencePlot({
  groups,
  rows,
  ticks,
  sides: [baseline, candidate],
  isRate,
}: {
  groups: readonly (readonly string[])[];
  rows: readonly DifferenceRow[];
  ticks: readonly Tick[];
  sides: readonly [baseline: string, candidate: string];
  isRate: boolean;
}) {
  const setBaseline = useBaseline(groups);
  const zero = zeroAt(ticks);
  const named = rows.find(hasRoom)?.id;
  return (
    <table className="difference-plot">
      <caption className="screen-reader">Differences from {baseline}, with 95 % intervals</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="screen-reader">Compared</span>
          </th>
          <th scope="col" className="difference-drawn">
            <span className="screen-reader">Drawn difference</span>
            <span className="difference-sides" aria-hidden="true">
              <span className="cut" style={{ left: 0, right: `calc(${percentFrom(1 - zero)} + 8px)` }}>
                ← {baseline} better
              </span>
              <span className="cut" style={{ left: `calc(${percentFrom(zero)} + 8px)`, right: 0 }}>
                {candidate} better →
              </span>
            </span>
          </th>
          <th scope="col" className="numeric" title={`${baseline}, then the other`}>
            before → after
          </th>
          <th scope="col" className="numeric">
            {isRate ? "points" : "difference"}
          </th>
          <th scope="col" className="numeric">
            95 %
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} {...{ row, ticks, setBaseline }} isNamed={row.id === named} />
        ))}
      </tbody>
      <tfoot aria-hidden="true">
        <tr>
          <td />
          <td className="difference-drawn">
            <StripNumbers ticks={ticks} />
          </td>
          <td colSpan={3} className="numeric">
            {rows.some(({ group }) => group !== undefined) ? (
              <span className="caption">
                <CommandKey id="compare.baseline" /> on a row makes it the baseline
              </span>
            ) : null}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function Row({
  row,
  ticks,
  isNamed,
  setBaseline,
}: {
  row: DifferenceRow;
  ticks: readonly Tick[];
  isNamed: boolean;
  setBaseline: (at: number) => void;
}) {
  const { group, label, axis, isClear } = row;
  return (
    <tr title={row.title}>
      <th scope="row">
        {group === undefined ? (
          <b>{label}</b>
        ) : (
          <button
            type="button"
            className="text-button difference-name"
            title={`${group.fullName ?? label}. Compare all with this one`}
            data-row-link=""
            data-row-baseline=""
            onClick={() => setBaseline(row.at ?? 0)}
          >
            <GroupName group={group} />
          </button>
        )}{" "}
        <span className="caption">{row.note}</span>
      </th>
      <td className="difference-drawn">
        {axis === null ? null : (
          <DifferenceMark
            axis={{ ...axis, ticks }}
            isClear={isClear}
            isNamed={isNamed}
            {...(group === undefined ? {} : { group })}
          />
        )}
      </td>
      <td className="numeric difference-change">{row.change}</td>
      <td className="numeric">{isClear ? <b>{row.size}</b> : row.size}</td>
      <td className="numeric muted">{row.range}</td>
    </tr>
  );
}

/** True if words fit into the range left of 0, and nothing else is there. */
function hasRoom({ axis }: DifferenceRow): boolean {
  if (axis === null || axis.undetectable === null) return false;
  const { low, high } = axis.undetectable;
  const zero = (low + high) / 2;
  return zero - Math.max(0, low) > 0.19 && Math.min(axis.interval.at, axis.interval.line?.from ?? 1) >= zero;
}

/** Within the insets of the drawing, see `charts.css`. */
function percentFrom(share: number): string {
  return `(100% - 36px) * ${share.toFixed(4)} + 18px`;
}
