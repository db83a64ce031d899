import type { ClockInterval, ClockTime } from "@/lib/domain/clock-time";

const ISO =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|z|[+-]\d\d:?\d\d(?::\d\d)?)?$/;

/**
 * A point in time from an ISO 8601 text as Python writes it, with or without a zone.
 *
 * @returns null for anything that is no such text, a day that is not in the calendar included; digits below the
 *   millisecond are kept in `text` only
 */
export function parseClockTime(text: string | null | undefined): ClockTime | null {
  const match = text ? ISO.exec(text) : null;
  if (!text || match === null) return null;
  const [, year, month, day, hour, minute, second = "0", fraction = "0", zone] = match;
  const ms = Number(fraction.padEnd(3, "0").slice(0, 3));
  const [y, mo, d, h, mi, s] = [year, month, day, hour, minute, second].map(Number);
  const wall = Date.UTC(y ?? 0, (mo ?? 1) - 1, d ?? 1, h ?? 0, mi ?? 0, s ?? 0, ms);
  const isReal = new Date(wall).getUTCDate() === d && (h ?? 0) < 24 && (mi ?? 0) < 60 && (s ?? 0) < 60;
  if (!isReal) return null;
  return { text, epochMs: wall - parseOffsetMs(zone), zoned: zone !== undefined };
}

function parseOffsetMs(zone: string | undefined): number {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const digits = zone.replaceAll(":", "").slice(1);
  const [hours, minutes, seconds] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(Number);
  const offsetMs = (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
  return zone.startsWith("-") ? -offsetMs : offsetMs;
}

/** Start and end of anything that carries `started_at` and `finished_at`; null when the whole block is absent. */
export function parseInterval(
  block: { started_at?: string | null | undefined; finished_at?: string | null | undefined } | null | undefined,
): ClockInterval | null {
  if (!block) return null;
  return { startedAt: parseClockTime(block.started_at), finishedAt: parseClockTime(block.finished_at) };
}
