/** A scale from 0 to `end` that runs across a strip `width` pixels wide, in a row of a table. */
export interface StripScale {
  readonly end: number;
  readonly width: number;
}

/** A value with its interval on a strip; an interval that is not known is null at both ends. */
export interface StripMark {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** 0 to 6, which the marker follows, see identity.ts. */
  readonly identity: number;
}

/** From either end of a strip to the line at that end of its scale, in pixels; as in the sheets, which draw the lines. */
const STRIP_INSET = 7.5;

/** The line on which the middle of an interval lies, in pixels from above. */
const MIDDLE = 10;

/** Where a value stands on a strip, in pixels from the left to tenths; a value beyond the scale stands outside the strip. */
export function placeOnStrip(value: number, { end, width }: StripScale): number {
  return Math.round((STRIP_INSET + (value / end) * (width - 2 * STRIP_INSET)) * 10) / 10;
}

/**
 * An interval with its value as markup, without any text: a line with a cap at either end and the marker `#dot-n` of the page's
 * glyphs. What lies beyond the scale is not drawn at its end: an interval runs to the edge of the strip without a cap, and a
 * value is an arrow there.
 */
export function drawStripMark({ value, low, high, identity }: StripMark, scale: StripScale): string {
  const line = low === null || high === null ? "" : drawInterval(low, high, scale);
  const x = placeOnStrip(value, scale);
  if (isOn(value, scale)) return `${line}<use href="#dot-${identity}" x="${x}"></use>`;
  const [edge, base] = value < 0 ? [0, 6] : [scale.width, scale.width - 6];
  return `${line}<path class="strip-beyond" d="M${edge} ${MIDDLE}L${base} ${MIDDLE - 4}V${MIDDLE + 4}Z"></path>`;
}

/** Whether a value is on the scale; what is beyond it by rounding is not beyond it. */
function isOn(value: number, scale: StripScale): boolean {
  const x = placeOnStrip(value, scale);
  return x >= STRIP_INSET && x <= scale.width - STRIP_INSET;
}

function drawInterval(low: number, high: number, scale: StripScale): string {
  const cut = (value: number) => {
    if (isOn(value, scale)) return placeOnStrip(value, scale);
    return value < 0 ? 0 : scale.width;
  };
  const ends = low === high ? [low] : [low, high];
  const caps = ends
    .filter((value) => isOn(value, scale))
    .map((value) => `M${placeOnStrip(value, scale)} ${MIDDLE - 3}v6`);
  return `<path class="strip-interval" d="M${cut(low)} ${MIDDLE}H${cut(high)}${caps.join("")}"></path>`;
}
