import type { ClockInterval, ClockTime } from "@/lib/core/domain/clock-time";

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?:[.,](\d{1,9}))?\s*([Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d)(?::([0-5]\d))?)?$/;

export function parseClockTime(text: string | null | undefined): ClockTime | null {
  const match = text ? TIME.exec(text) : null;
  if (!text || match === null) return null;
  const [, year = "", month = "", day = "", hour, minute, second = 0, fraction = "", zone, ...offset] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (year === "0000" || !isDay) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, "0").slice(0, 3)));
  return { text, epochMs: date.getTime() - readOffsetMs(offset), zoned: zone !== undefined };
}

function readOffsetMs([sign, ...parts]: readonly (string | undefined)[]): number {
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * (sign === "-" ? -1000 : 1000);
}

export function parseInterval(
  block:
    | { started_at?: string | null | undefined; finished_at?: string | null | undefined }
    | null
    | undefined,
): ClockInterval | null {
  if (!block) return null;
  return { startedAt: parseClockTime(block.started_at), finishedAt: parseClockTime(block.finished_at) };
}
