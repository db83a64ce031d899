import type { ClockInterval, ClockTime } from "@/lib/core/domain/clock-time";

const TIME =
  /^((?!0000)\d{4}-\d\d-(\d\d))[T ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(?:[.,](\d{1,3})\d{0,6})?\s*([Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d)(?::([0-5]\d))?)?$/;

export function parseClockTime(text: string | null | undefined): ClockTime | null {
  const match = text ? TIME.exec(text) : null;
  if (!text || match === null) return null;
  // Destructuring all groups allocates more: ten times per trial.
  const date = new Date(`${match[1]}T${match[3]}${match[4] ?? ":00"}.${match[5] ?? 0}Z`);
  // `Date` moves 31 April to 1 May.
  if (date.getUTCDate() !== Number(match[2])) return null;
  const offsetMs = match[7] === undefined ? 0 : readOffsetMs(match.slice(7));
  return { text, epochMs: date.getTime() - offsetMs, zoned: match[6] !== undefined };
}

function readOffsetMs([sign, ...parts]: readonly (string | undefined)[]): number {
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * (sign === "-" ? -1000 : 1000);
}

export function parseInterval(
  block: Partial<Record<"started_at" | "finished_at", string | null | undefined>> | null | undefined,
): ClockInterval | null {
  if (!block) return null;
  return { startedAt: parseClockTime(block.started_at), finishedAt: parseClockTime(block.finished_at) };
}
