import type { ClockTime } from "@/lib/domain/clock-time";

const ISO = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(Z|z|[+-]\d{2}:?\d{2})?$/u;

/** A step's timestamp: ISO text with or without zone, or seconds or milliseconds since 1970. Null for anything else. */
export function parseStepTime(value: unknown): ClockTime | null {
  if (typeof value === "number" && Number.isFinite(value) && value > 0) {
    const epochMs = value < 1e11 ? value * 1000 : value;
    return { text: String(value), epochMs: Math.round(epochMs), zoned: true };
  }
  if (typeof value !== "string") return null;
  const match = ISO.exec(value);
  if (match === null) return null;
  const zoned = match[1] !== undefined;
  const epochMs = Date.parse(zoned ? value.replace(" ", "T") : `${value.replace(" ", "T")}Z`);
  return Number.isNaN(epochMs) ? null : { text: value, epochMs, zoned };
}
