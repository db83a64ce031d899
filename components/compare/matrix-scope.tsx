"use client";

import { createContext, type ReactNode, use } from "react";

import { ShareStrip } from "@/components/charts/strips";
import { Unknown } from "@/components/ui/values";
import type { ChartGroup } from "@/lib/charts/chart-group";
import type { Span } from "@/lib/charts/ticks";
import type { EncodedMarks } from "@/lib/domain/matrix-marks";
import { formatReward } from "@/lib/format/number";

import { AttemptCell } from "./attempt-cell";

/** What all rows of the matrix share. */
interface MatrixColumns {
  readonly groups: readonly (ChartGroup & { readonly jobKey: string })[];
  /** Of the means. */
  readonly scale: Span;
}

const Columns = createContext<MatrixColumns>({ groups: [], scale: { low: 0, high: 1 } });
const List = createContext<string | null>(null);

/** The groups of the matrix, sent once: a page has hundreds of cells, and each would send its group again. */
export function MatrixScope({ groups, scale, children }: MatrixColumns & { children: ReactNode }) {
  return <Columns value={{ groups, scale }}>{children}</Columns>;
}

/** A row of the matrix. `list`: what its trials are next and previous in; null for the whole job of each. */
export function MatrixRowScope({ list, children }: { list: string | null; children: ReactNode }) {
  return <List value={list}>{children}</List>;
}

/** The cell of the group at a place: its attempts, and how many pass of those that count. */
export function GroupCell({
  at,
  marks,
  counts,
  spent,
  more,
}: {
  at: number;
  /** Absent where there is no attempt. */
  marks?: EncodedMarks;
  /** Those that pass and those that count; absent where none counts. */
  counts?: readonly [c: number, n: number];
  /** What an attempt spends, where marks are coloured by that. */
  spent?: string;
  /** After the marks: those that are left out. */
  more?: ReactNode;
}) {
  const list = use(List);
  const { jobKey = "" } = use(Columns).groups[at] ?? {};
  return (
    <td>
      <span className="matrix-cell">
        {marks === undefined ? null : (
          <AttemptCell encoded={marks} jobKey={jobKey} onward={list === null ? {} : { list }} />
        )}
        {more}
        {counts === undefined ? (
          <Unknown />
        ) : (
          <span className="matrix-count">
            {counts[0]}
            <span className="muted">{`/${counts[1]}`}</span>
          </span>
        )}
        {spent === undefined ? null : <span className="matrix-spent">{spent}</span>}
      </span>
    </td>
  );
}

/** The means of all groups at a task on one scale; null for a group that has none. */
export function MeansStrip({ means }: { means: readonly (number | null)[] }) {
  const { groups, scale } = use(Columns);
  const marks = groups.map((group, at) => ({ group, value: means[at] ?? null }));
  return (
    <ShareStrip
      title={marks
        .map(({ group, value }) => `${group.label} ${value === null ? "no value" : formatReward(value, 2)}`)
        .join(", ")}
      scale={scale}
      marks={marks}
    />
  );
}
