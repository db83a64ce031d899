import { Strip, StripMark, StripNumbers } from "@/components/ui/interval-plot";
import { type Identified } from "@/lib/core/charts/identity";
import { placeInterval, type StripValue } from "@/lib/core/charts/interval-strip";
import type { Span } from "@/lib/core/charts/ticks";

interface RowMark extends StripValue {
  readonly group: Identified;
}

const LINE = 11;
const SHARES: Span = { low: 0, high: 1 };
const QUARTERS = [0, 0.25, 0.5, 0.75, 1].map((at) => ({ value: at, label: String(at), at }));

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
    <Strip className="strip share-row" title={title} height={height} ticks={QUARTERS}>
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
    </Strip>
  );
}

export function ShareScale() {
  return <StripNumbers className="strip share-row" ticks={QUARTERS} />;
}
