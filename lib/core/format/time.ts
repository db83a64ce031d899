import type { ClockTime } from "@/lib/core/domain/clock-time";

import { MISSING } from "./number";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const pad = (value: number) => String(value).padStart(2, "0");

/** Such as `6 h 41 m`, `3 m 49 s`, `0.4 s`, `12 ms`; null is the em dash. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return MISSING;
  if (durationMs > 0 && durationMs < 100) return `${Math.max(1, Math.round(durationMs))} ms`;
  if (durationMs < 10_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${pad(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${pad(minutes % 60)} m`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export const ZONE_COOKIE = "assay-zone";
export const UTC_ZONE = "UTC";

export interface PageClock {
  /** IANA name, such as `UTC` or `Europe/Berlin`. */
  readonly zone: string;
  readonly year: number;
}

/**
 * Formats `14 Nov 09:12` in the page's zone, with the year if it is another one, and seconds or the day alone on request. A time of unknown zone
 * stays as in the file, and the caller must say so. Null is the em dash.
 */
export function formatTime(
  time: ClockTime | null,
  clock: PageClock,
  precision: "day" | "minute" | "second" = "minute",
): string {
  if (time === null) return MISSING;
  const offsetMs = time.zoned ? computeOffsetMs(clock.zone, time.epochMs) : 0;
  const date = new Date(time.epochMs + offsetMs);
  const year = date.getUTCFullYear() === clock.year ? "" : ` ${date.getUTCFullYear()}`;
  const month = MONTHS[date.getUTCMonth()] ?? "";
  const second = precision === "second" ? `:${pad(date.getUTCSeconds())}` : "";
  const day = `${date.getUTCDate()} ${month}${year}`;
  if (precision === "day") return day;
  return `${day} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}${second}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns milliseconds east of UTC at an instant. */
function computeOffsetMs(zone: string, epochMs: number): number {
  if (zone === UTC_ZONE) return 0;
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
    formatters.set(zone, formatter);
  }
  const name = formatter.formatToParts(epochMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes, seconds] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
  const size = ((Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds ?? 0)) * 1000;
  return sign === "-" ? -size : size;
}

/** Uses UTC for a missing or unknown zone. */
export function preparePageClock(zone: string | undefined, nowMs: number): PageClock {
  const known = zone !== undefined && isKnownZone(zone) ? zone : UTC_ZONE;
  return { zone: known, year: new Date(nowMs + computeOffsetMs(known, nowMs)).getUTCFullYear() };
}

function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const STATED_ZONE = /(?:Z|[+-]\d\d:?\d\d(?::?\d\d)?)$/i;

/** Returns the file's text, with what is known about its zone if it has none. */
export function describeRawTime({ text, epochMs, zoned }: ClockTime): string {
  if (STATED_ZONE.test(text) || /^\d+(\.\d+)?$/.test(text)) return text;
  if (!zoned) return `${text}, zone not recorded`;
  const offsetMinutes = Math.round(
    (Date.parse(`${text.slice(0, 19).replace(" ", "T")}Z`) - epochMs) / 60_000,
  );
  const size = Math.abs(offsetMinutes);
  const offset = `${offsetMinutes < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
  return `${text} without a zone; UTC${offset} inferred from the job's trials`;
}

const FRACTION = /[.,](\d+)/;

/** Returns ISO 8601 in UTC with the file's digits below the second; the file's text if the zone is unknown. */
export function formatInstant({ text, epochMs, zoned }: ClockTime): string {
  if (!zoned || text.endsWith("Z")) return text;
  const fraction = FRACTION.exec(text)?.[0].replace(",", ".") ?? "";
  return new Date(epochMs).toISOString().replace(/\.\d{3}Z$/, `${fraction}Z`);
}

export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1000));
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ago`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`;
}

/** Returns a day such as `2026-05-01` in UTC, or the file's day for a time without a zone. Null is the em dash. */
export function formatDay(epochMs: number | null): string {
  const date = new Date(epochMs ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? MISSING : date.toISOString().slice(0, 10);
}
