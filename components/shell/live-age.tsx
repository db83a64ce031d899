"use client";

import { useEffect, useState } from "react";

import type { ClockTime } from "@/lib/domain/clock-time";
import { describeRawTime, formatAge, formatInstant } from "@/lib/format/time";

const TICK_MS = 5000;

/** How long ago an instant was, kept true while the page is open, with the text of its file on hover. */
export function LiveAge({ time }: { time: ClockTime }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    // The page was made a moment before it is here.
    <time dateTime={formatInstant(time)} title={describeRawTime(time)} suppressHydrationWarning>
      {formatAge(nowMs - time.epochMs)}
    </time>
  );
}
