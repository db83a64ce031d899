import type { ClockTime } from "@/lib/domain/clock-time";

import { MISSING } from "./number";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const pad = (value: number) => String(value).padStart(2, "0");

/** A duration such as `6 h 41 m`, `3 m 49 s`, `0.4 s`, `12 ms`; null is the em dash. */
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

/** `14 Nov 09:12`, with the year when it is not `currentYear`; null is the em dash. The clock kind is not converted. */
export function formatTime(time: ClockTime | null, currentYear: number): string {
  if (time === null) return MISSING;
  const date = new Date(time.epochMs);
  const year = date.getUTCFullYear() === currentYear ? "" : ` ${date.getUTCFullYear()}`;
  const month = MONTHS[date.getUTCMonth()] ?? "";
  return `${date.getUTCDate()} ${month}${year} ${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}`;
}

/** The time with the clock it belongs to: `14 Nov 09:12 UTC`, or `local` where the file does not state a zone. */
export function formatTimeWithClock(time: ClockTime | null, currentYear: number): string {
  return time === null ? MISSING : `${formatTime(time, currentYear)} ${time.zoned ? "UTC" : "local"}`;
}

/** `just now`, `12 s ago`, `4 m ago`, `3 h ago`, `2 d ago`. */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, Math.round(ageMs / 1000));
  if (seconds < 2) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ago`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h ago` : `${Math.floor(seconds / 86_400)} d ago`;
}
