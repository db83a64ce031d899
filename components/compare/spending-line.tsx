"use client";

import { GroupName } from "@/components/ui/agent-name";
import { formatCount, MISSING } from "@/lib/core/format/number";
import type { SpendingRow } from "@/lib/pages/compare/spending";

/** Rendered in the browser too: a row's data is a fifth of its markup. */
export function SpendingLine({ row }: { row: SpendingRow }) {
  const { group, score, scoreRange, spent, spentRange, perSolve, nKnown, nUnknown, standing, isFaint } = row;
  return (
    <tr className={isFaint ? "spending-dominated" : undefined}>
      <td className="name">
        <GroupName group={group} />
      </td>
      <td className="numeric">{score}</td>
      <td className="numeric muted minor">{scoreRange}</td>
      <td className="numeric">{spent}</td>
      <td className="numeric muted">{spentRange}</td>
      <td className="numeric nowrap" title={perSolve.basis}>
        {perSolve.value ?? MISSING} <span className="muted">{perSolve.range}</span>
      </td>
      <td className="numeric nowrap">
        {formatCount(nKnown)} <span className="muted">of {formatCount(nKnown + nUnknown)}</span>
      </td>
      <td>{standing}</td>
    </tr>
  );
}
