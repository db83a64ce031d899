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
const HOLLOW_RADIUS = 2.7;

/** To tenths of a pixel, which is finer than any screen. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function place(value: number, width: number): number {
  return round(INSET + Math.min(1, Math.max(0, value)) * (width - 2 * INSET));
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
  const at = (value: number) => place(value, width);
  return (
    <svg className={`interval-plot identity-${mark?.identity ?? 0}`} width={width} height={HEIGHT} role="img">
      <title>{title}</title>
      <path
        className="interval-grid"
        d={`M${at(0)} 0V${HEIGHT}M${at(0.5)} 0V${HEIGHT}M${at(1)} 0V${HEIGHT}`}
      />
      {mark === null ? null : (
        <>
          <path d={`M${at(mark.low)} 10H${at(mark.high)}M${at(mark.low)} 7v6M${at(mark.high)} 7v6`} />
          {mark.identity === 0 ? (
            <circle className="interval-hollow" cx={at(mark.value)} cy={10} r={HOLLOW_RADIUS} />
          ) : (
            <use
              href={`#agent-${mark.identity}`}
              x={round(at(mark.value) - MARKER_SIZE / 2)}
              y={10 - MARKER_SIZE / 2}
              width={MARKER_SIZE}
              height={MARKER_SIZE}
            />
          )}
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
