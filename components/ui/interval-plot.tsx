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
  const className = mark === null ? "interval-plot" : `interval-plot identity-${mark.identity}`;
  const markup = { __html: `<title>${escapeText(title)}</title>${mark === null ? "" : draw(mark, width)}` };
  return <svg className={className} width={width} role="img" dangerouslySetInnerHTML={markup} />;
}

/** Numbers alone: as elements, the three parts of every row's interval were a tenth of the work of drawing a list. */
function draw(mark: IntervalMark, width: number): string {
  const [low, high] = [place(mark.low, width), place(mark.high, width)];
  return (
    `<path d="M${low} 10H${high}M${low} 7v6M${high} 7v6"></path>` +
    `<use href="#dot-${mark.identity}" x="${place(mark.value, width)}"></use>`
  );
}

/** Titles are words of ours with numbers; nothing else could pass as markup either. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
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
