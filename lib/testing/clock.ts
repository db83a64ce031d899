/** Microseconds since 1970-01-01T00:00:00Z; whole numbers below 2**53. */
export type Micros = number;

export const SECOND: Micros = 1_000_000;
export const MINUTE: Micros = 60 * SECOND;

/** Micros of an ISO text with zone, whole milliseconds. */
export function parseInstant(text: string): Micros {
  return Date.parse(text) * 1000;
}

function formatParts(at: Micros): string {
  const ms = Math.floor(at / 1000);
  const micros = String(at - ms * 1000).padStart(3, "0");
  return new Date(ms).toISOString().slice(0, -1) + micros;
}

/** `2026-11-14T09:12:04.183922Z`, as Harbor writes trial times. */
export function formatUtc(at: Micros): string {
  return `${formatParts(at)}Z`;
}

/** The same instant on a wall clock `offsetMinutes` east of UTC, without a zone, as Harbor writes job times. */
export function formatNaive(at: Micros, offsetMinutes = 0): string {
  return formatParts(at + offsetMinutes * MINUTE);
}

/** `2026-11-14T09:12:04Z` for trajectory steps. */
export function formatStepTime(at: Micros): string {
  return `${new Date(Math.floor(at / 1000)).toISOString().slice(0, -1)}Z`;
}
