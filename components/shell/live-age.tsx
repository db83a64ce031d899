"use client";

import { useEffect, useState } from "react";

import type { ClockTime } from "@/lib/core/domain/clock-time";
import { describeRawTime, formatAge, formatInstant } from "@/lib/core/format/time";

const TICK_MS = 5000;

export function LiveAge({ time }: { time: ClockTime }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    // The server rendered the age a moment earlier, so hydration may differ.
    <time dateTime={formatInstant(time)} title={describeRawTime(time)} suppressHydrationWarning>
      {formatAge(nowMs - time.epochMs)}
    </time>
  );
}
