import { percent, StripMark } from "@/components/ui/interval-plot";
import { type Identified } from "@/lib/core/charts/identity";
import { placeInterval, type StripValue } from "@/lib/core/charts/interval-strip";
import type { Span } from "@/lib/core/charts/ticks";

import "./share-rows.css";

export interface RowMark extends StripValue {
  readonly group: Identified;
}

const LINE = 11;
const SHARES: Span = { low: 0, high: 1 };

export function ShareRow({
  marks,
  nLines,
  title,
}: {
  marks: readonly (RowMark | null)[];
  nLines: number;
  title: string;
}) {
  const height = LINE * Math.max(3, nLines) + 8;
  const top = (height - LINE * nLines) / 2 + LINE / 2;
  return (
    <svg className="share-row" height={height} role="img" aria-label={title}>
      <title>{title}</title>
      {[0, 0.25, 0.5, 0.75, 1].map((at) => (
        <line key={at} className="share-grid" x1={percent(at)} x2={percent(at)} y1={0} y2={height} />
      ))}
      {marks.map((mark, at) =>
        mark === null ? null : (
          <StripMark
            key={at}
            interval={placeInterval(mark, SHARES)}
            group={mark.group}
            y={top + at * LINE}
            size={9}
          />
        ),
      )}
    </svg>
  );
}

export function ShareScale() {
  return (
    <svg className="share-row share-scale" height={16} aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map((at) => (
        <text key={at} x={percent(at)} y={12} textAnchor="middle">
          {at}
        </text>
      ))}
    </svg>
  );
}
