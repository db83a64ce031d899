import "./interval-plot.css";

/** What an interval plot draws; all values on a scale from 0 to 1 (values outside are drawn at its edge). */
export interface IntervalMark {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly identity: number;
}

/** As in the sheet, which draws the lines at 0, 0.5 and 1. */
const INSET = 7;

/** To tenths of a pixel, which is finer than any screen. */
function place(value: number, width: number): number {
  const place = INSET + Math.min(1, Math.max(0, value)) * (width - 2 * INSET);
  return Math.round(place * 10) / 10;
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
  if (mark === null) {
    return (
      <svg className="interval-plot" width={width} role="img">
        <title>{title}</title>
      </svg>
    );
  }
  const [low, high] = [place(mark.low, width), place(mark.high, width)];
  return (
    <svg className={`interval-plot identity-${mark.identity}`} width={width} role="img">
      <title>{title}</title>
      <path d={`M${low} 10H${high}M${low} 7v6M${high} 7v6`} />
      <use href={`#dot-${mark.identity}`} x={place(mark.value, width)} />
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
