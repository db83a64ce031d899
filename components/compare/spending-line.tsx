"use client";

import { GroupName } from "@/components/ui/agent-name";
import type { ChartGroup } from "@/lib/core/charts/chart-group";

export interface DrawnSpending {
  readonly group: ChartGroup;
  readonly score: string;
  readonly scoreRange: string;
  readonly spent: string;
  readonly spentRange: string;
  readonly perSolve: { readonly value: string; readonly range: string | null; readonly basis: string };
  readonly nKnown: string;
  readonly nFinished: string;
  readonly standing: string;
  readonly isFaint: boolean;
}

/** Rendered in the browser too: a row's data is a fifth of its markup. */
export function SpendingLine({ row }: { row: DrawnSpending }) {
  const { group, score, scoreRange, spent, spentRange, perSolve, nKnown, nFinished, standing } = row;
  return (
    <tr className={row.isFaint ? "spending-dominated" : undefined}>
      <td className="name">
        <GroupName group={group} />
      </td>
      <td className="numeric">{score}</td>
      <td className="numeric muted minor">{scoreRange}</td>
      <td className="numeric">{spent}</td>
      <td className="numeric muted">{spentRange}</td>
      <td className="numeric nowrap" title={perSolve.basis}>
        {perSolve.value} <span className="muted">{perSolve.range}</span>
      </td>
      <td className="numeric nowrap">
        {nKnown} <span className="muted">of {nFinished}</span>
      </td>
      <td>{standing}</td>
    </tr>
  );
}
