import { drawStripMark, placeOnStrip, type StripMark } from "@/lib/charts/interval-strip";

import "./interval-plot.css";

/** What an interval plot draws. Without an identity it is drawn in ink. */
export interface IntervalMark extends Omit<StripMark, "identity"> {
  readonly identity?: number | undefined;
  /** How far the value could reach, as a bar below. */
  readonly reach?: number;
}

/** The circle, which is the marker of the first identity. */
const PLAIN_DOT = 1;

/** A value with its interval on a scale from 0 to `end`, whose numbers stand in the column's heading. */
export function IntervalPlot({
  mark,
  width = 108,
  end = 1,
  title,
}: {
  mark: IntervalMark | null;
  width?: number;
  end?: number;
  title: string;
}) {
  const identity = mark?.identity === undefined ? "" : ` identity-${mark.identity}`;
  const drawn = mark === null ? "" : draw(mark, { end, width });
  const markup = { __html: `<title>${escapeText(title)}</title>${drawn}` };
  return (
    <svg className={`interval-plot${identity}`} width={width} role="img" dangerouslySetInnerHTML={markup} />
  );
}

/** Numbers alone: as elements, the three parts of every row's interval were a tenth of the work of drawing a list. */
function draw(mark: IntervalMark, scale: { readonly end: number; readonly width: number }): string {
  const { value, reach, identity = PLAIN_DOT } = mark;
  const bar =
    reach === undefined
      ? ""
      : `<path class="interval-reach" d="M${placeOnStrip(value, scale)} 18H${placeOnStrip(reach, scale)}"></path>`;
  return bar + drawStripMark({ ...mark, identity }, scale);
}

/** Titles are words of ours with numbers; nothing else could pass as markup either. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** The scale of an interval column, for its heading: its two ends and its middle, each above its line. */
export function IntervalScale({
  width = 108,
  labels = ["0", "0.5", "1"],
}: {
  width?: number;
  labels?: readonly [string, string, string];
}) {
  return (
    <span className="interval-scale" style={{ width }} aria-hidden="true">
      {labels.map((label) => (
        <span key={label}>{label}</span>
      ))}
    </span>
  );
}
