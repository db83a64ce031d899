import { AGENT_MARKER_PATHS } from "./sprite";

import "./interval-plot.css";

/** What an interval plot draws; all values on a scale from 0 to 1 (values outside are drawn at its edge). */
export interface IntervalMark {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly identity: number;
}

const INSET = 7;
const HEIGHT = 20;
const MARKER_SIZE = 9;

function place(value: number, width: number): number {
  return INSET + Math.min(1, Math.max(0, value)) * (width - 2 * INSET);
}

/** A mean with its interval on a scale from 0 to 1 whose numbers stand in the column's heading. */
export function IntervalPlot({
  mark,
  width = 108,
  title,
}: {
  mark: IntervalMark | null;
  width?: number;
  title: string;
}) {
  return (
    <svg
      className={`interval-plot identity-${mark?.identity ?? 0}`}
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      {[0, 0.5, 1].map((tick) => (
        <path key={tick} className="interval-grid" d={`M${place(tick, width)} 0V${HEIGHT}`} />
      ))}
      {mark === null ? null : (
        <>
          <path
            className="interval-line"
            d={`M${place(mark.low, width)} 10H${place(mark.high, width)}M${place(mark.low, width)} 7v6M${place(mark.high, width)} 7v6`}
          />
          <path
            className={mark.identity === 0 ? "interval-marker interval-hollow" : "interval-marker"}
            transform={`translate(${place(mark.value, width) - MARKER_SIZE / 2} ${10 - MARKER_SIZE / 2}) scale(${MARKER_SIZE / 12})`}
            d={AGENT_MARKER_PATHS[mark.identity]}
          />
        </>
      )}
    </svg>
  );
}

/** The scale of an interval column, for its heading. */
export function IntervalScale({ width = 108 }: { width?: number }) {
  return (
    <span className="interval-scale" style={{ width }} aria-hidden="true">
      <span>0</span>
      <span>0.5</span>
      <span>1</span>
    </span>
  );
}
