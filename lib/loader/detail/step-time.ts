import type { ClockTime } from "@/lib/domain/clock-time";
import { parseClockTime } from "@/lib/schema/clock-time";

/** A step's timestamp: ISO text with or without zone, or seconds or milliseconds since 1970. Null for anything else. */
export function parseStepTime(value: unknown): ClockTime | null {
  if (typeof value === "string") return parseClockTime(value);
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) return null;
  const epochMs = value < 1e11 ? value * 1000 : value;
  return { text: String(value), epochMs: Math.round(epochMs), zoned: true };
}
