"use client";

import { MISSING } from "@/lib/format/number";

/** A figure with what stands below it. */
interface DrawnCell {
  /** Null where there is none. */
  readonly value: string | null;
  readonly range?: string;
  readonly note?: string;
  readonly basis?: string;
  readonly minor?: boolean;
}

/** The cells of a group, drawn in the browser too: what they say is a fifth of what they are drawn with. */
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
