import { placeOn, type Span } from "./ticks";

export interface StripValue {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Returns a value with the ends of its interval, null where it has none. */
export function withBounds(
  value: number,
  bounds: (Span & { readonly kind: string }) | { readonly kind: "unavailable" } | null = null,
): StripValue {
  return bounds !== null && "low" in bounds
    ? { value, low: bounds.low, high: bounds.high }
    : { value, low: null, high: null };
}

/** Rounding error at the ends of a scale, as a share. */
const TOLERANCE = 1e-6;

export type PlacedInterval = ReturnType<typeof placeInterval>;

export function placeInterval({ value, low, high }: StripValue, scale: Span) {
  const at = placeOn(value, scale);
  const isOn = (share: number) => share >= -TOLERANCE && share <= 1 + TOLERANCE;
  const cut = (share: number) => Math.min(1, Math.max(0, share));
  const ends = low === null || high === null ? [] : [placeOn(low, scale), placeOn(high, scale)];
  const [from, to] = ends;
  return {
    at: cut(at),
    beyond: isOn(at) ? null : at < 0 ? "low" : "high",
    /** Null without an interval; cut at the ends of the scale. */
    line: from === undefined || to === undefined ? null : { from: cut(from), to: cut(to) },
    caps: [...new Set(ends)].filter(isOn),
  };
}
