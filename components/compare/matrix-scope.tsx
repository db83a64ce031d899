"use client";

import { createContext, type ReactNode, use } from "react";

import { ShareStrip } from "@/components/charts/strips";
import { Unknown } from "@/components/ui/values";
import type { ChartGroup } from "@/lib/core/charts/chart-group";
import type { Span } from "@/lib/core/charts/ticks";
import type { EncodedMarks } from "@/lib/core/domain/matrix-marks";
import { formatReward } from "@/lib/core/format/number";

import { AttemptCell } from "./attempt-cell";

interface MatrixColumns {
  readonly groups: readonly (ChartGroup & { readonly jobKey: string })[];
  readonly scale: Span;
}

const Columns = createContext<MatrixColumns>({ groups: [], scale: { low: 0, high: 1 } });
const List = createContext<string | null>(null);

/** Sent once: a page has hundreds of cells, and each would repeat its group. */
export function MatrixScope({ groups, scale, children }: MatrixColumns & { children: ReactNode }) {
  return <Columns value={{ groups, scale }}>{children}</Columns>;
}

export function MatrixRowScope({ list, children }: { list: string | null; children: ReactNode }) {
  return <List value={list}>{children}</List>;
}

export function GroupCell({
  at,
  marks,
  counts,
  spent,
  more,
}: {
  at: number;
  marks?: EncodedMarks;
  counts?: readonly [c: number, n: number];
  spent?: string;
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
