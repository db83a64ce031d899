import { placeOn, type Span } from "./ticks";

/** A value with its interval; an interval that is not known is null at both ends. */
export interface StripValue {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Where a value and its interval stand on a scale, as shares of its length. */
export interface PlacedInterval {
  /** Of the value; 0 or 1 where it is beyond that end. */
  readonly at: number;
  readonly beyond: "low" | "high" | null;
  /** Null without an interval; what lies beyond the scale is cut at its ends. */
  readonly line: { readonly from: number; readonly to: number } | null;
  /** The ends of the interval that are on the scale. */
  readonly caps: readonly number[];
}

/** Shares of a scale that rounding may make of its end. */
const TOLERANCE = 1e-6;

export function placeInterval({ value, low, high }: StripValue, scale: Span): PlacedInterval {
  const at = placeOn(value, scale);
  const isOn = (share: number) => share >= -TOLERANCE && share <= 1 + TOLERANCE;
  const cut = (share: number) => Math.min(1, Math.max(0, share));
  const ends = low === null || high === null ? [] : [placeOn(low, scale), placeOn(high, scale)];
  const [from, to] = ends;
  return {
    at: cut(at),
    beyond: isOn(at) ? null : at < 0 ? "low" : "high",
    line: from === undefined || to === undefined ? null : { from: cut(from), to: cut(to) },
    caps: [...new Set(ends)].filter(isOn),
  };
}
