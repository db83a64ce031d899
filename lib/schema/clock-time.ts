import type { ClockInterval, ClockTime } from "@/lib/domain/clock-time";

const TAIL = /^(?:[.,](\d{1,9}))?\s*(Z|z|[+-](?:[01]\d|2[0-3]):?[0-5]\d(?::[0-5]\d)?)?$/;
const DIGIT_ZERO = 0x30;

/**
 * A point in time from an ISO 8601 text as Python writes it, with or without a zone.
 *
 * @returns null for anything that is no such text, a day that is not in the calendar included; digits below the
 *   millisecond are kept in `text` only
 * @remarks Read by position, because a trial states eleven times and a pattern for all of it is five times slower.
 */
export function parseClockTime(text: string | null | undefined): ClockTime | null {
  if (!text || !hasIsoShape(text)) return null;
  const hasSeconds = text[16] === ":";
  const tail = TAIL.exec(text.slice(hasSeconds ? 19 : 16));
  const dayMs = readDayMs(text);
  const second = hasSeconds ? readDigits(text, 17, 2) : 0;
  const wallMs = dayMs + ((readDigits(text, 11, 2) * 60 + readDigits(text, 14, 2)) * 60 + second) * 1000;
  // What is no digit makes the sum NaN.
  const isReal =
    !Number.isNaN(wallMs) && text.slice(11, 13) < "24" && text.slice(14, 16) < "60" && second < 60;
  if (tail === null || !isReal) return null;
  const ms = Number((tail[1] ?? "0").padEnd(3, "0").slice(0, 3));
  return { text, epochMs: wallMs + ms - parseOffsetMs(tail[2]), zoned: tail[2] !== undefined };
}

function hasIsoShape(text: string): boolean {
  const separator = text[10];
  return text[4] === "-" && text[7] === "-" && (separator === "T" || separator === " ") && text[13] === ":";
}

/** Midnight of the text's day, or NaN for a day that is not in the calendar. */
function readDayMs(text: string): number {
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 5, 2);
  const day = readDigits(text, 8, 2);
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= countDays(year, month);
  if (!isDay || year < 1) return NaN;
  // Date.UTC would take the years up to 99 for those of the twentieth century.
  return year < 100 ? new Date(0).setUTCFullYear(year, month - 1, day) : Date.UTC(year, month - 1, day);
}

/** The number that `count` ASCII digits at `at` spell, or NaN. */
function readDigits(text: string, at: number, count: number): number {
  let number = 0;
  for (let i = at; i < at + count; i++) {
    const digit = text.charCodeAt(i) - DIGIT_ZERO;
    if (!(digit >= 0 && digit <= 9)) return NaN;
    number = number * 10 + digit;
  }
  return number;
}

function countDays(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeap ? 29 : 28;
}

function parseOffsetMs(zone: string | undefined): number {
  if (zone === undefined || zone.length === 1) return 0;
  const digits = zone.replaceAll(":", "").slice(1);
  const [hours, minutes, seconds] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)].map(Number);
  const offsetMs = (((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000;
  return zone.startsWith("-") ? -offsetMs : offsetMs;
}

/** Start and end of anything that carries `started_at` and `finished_at`; null when the whole block is absent. */
export function parseInterval(
  block:
    { started_at?: string | null | undefined; finished_at?: string | null | undefined } | null | undefined,
): ClockInterval | null {
  if (!block) return null;
  return { startedAt: parseClockTime(block.started_at), finishedAt: parseClockTime(block.finished_at) };
}
