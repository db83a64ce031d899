"use client";

import type { ClockTime } from "@/lib/core/domain/clock-time";
import { describeRawTime, formatInstant, formatTime } from "@/lib/core/format/time";

import { usePageClock } from "./page-clock";

export function TimeText({
  time,
  precision = "minute",
  narrow = false,
  withYear = false,
  className,
}: {
  time: ClockTime | null;
  precision?: "minute" | "second";
  narrow?: boolean;
  withYear?: boolean;
  className?: string;
}) {
  const pageClock = usePageClock();
  const clock = withYear ? { ...pageClock, year: Number.NaN } : pageClock;
  if (time === null) return <span className={className}>{formatTime(time, clock)}</span>;
  const marks = !time.zoned && narrow;
  return (
    <time
      className={[className, marks ? "time-zoneless" : ""].filter(Boolean).join(" ") || undefined}
      dateTime={formatInstant(time)}
      title={describeRawTime(time)}
    >
      {formatTime(time, clock, precision)}
      {marks ? <span className="screen-reader"> (no zone)</span> : time.zoned ? null : " (no zone)"}
    </time>
  );
}
