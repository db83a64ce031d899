"use client";

import { MISSING } from "@/lib/core/format/number";

interface DrawnCell {
  readonly value: string | null;
  readonly range?: string;
  readonly note?: string;
  readonly basis?: string;
  readonly minor?: boolean;
}

/** Rendered in the browser too: its data is a fifth of its markup. */
export function CertaintyRow({ cells }: { cells: readonly DrawnCell[] }) {
  return cells.map(({ value, range, note, basis, minor = false }, at) => (
    <td
      key={at}
      className={`numeric${minor ? " minor" : ""}${value === null ? " unknown" : ""}`}
      title={basis}
    >
      {value ?? MISSING}
      {range === undefined ? null : <span className="certainty-range">{range}</span>}
      {note === undefined ? null : <span className="certainty-range">{note}</span>}
    </td>
  ));
}
