"use client";

import type { ClockTime } from "@/lib/domain/clock-time";
import { describeRawTime, formatInstant, formatTime } from "@/lib/format/time";

import { usePageClock } from "./page-clock";

/**
 * A time in the zone of the page, with the text of its file on hover; a dash for none. One whose zone is unknown is marked:
 * with a question mark where it is `narrow`, else in words.
 */
export function TimeText({
  time,
  precision = "minute",
  narrow = false,
  className,
}: {
  time: ClockTime | null;
  precision?: "minute" | "second";
  narrow?: boolean;
  className?: string;
}) {
  const clock = usePageClock();
  if (time === null) return <span className={className}>{formatTime(time, clock)}</span>;
  return (
    <time className={className} dateTime={formatInstant(time)} title={describeRawTime(time)}>
      {formatTime(time, clock, precision)}
      {time.zoned ? null : narrow ? (
        <>
          ?<span className="screen-reader"> (no zone)</span>
        </>
      ) : (
        " (no zone)"
      )}
    </time>
  );
}
