"use client";

import type { ClockTime } from "@/lib/domain/clock-time";
import { describeRawTime, formatInstant, formatTime } from "@/lib/format/time";

import { usePageClock } from "./page-clock";

/** A time in the zone of the page, with the text of its file on hover; a dash for none. */
export function TimeText({
  time,
  precision = "minute",
  className,
}: {
  time: ClockTime | null;
  precision?: "minute" | "second";
  className?: string;
}) {
  const clock = usePageClock();
  if (time === null) return <span className={className}>{formatTime(time, clock)}</span>;
  return (
    <time className={className} dateTime={formatInstant(time)} title={describeRawTime(time)}>
      {formatTime(time, clock, precision)}
    </time>
  );
}
