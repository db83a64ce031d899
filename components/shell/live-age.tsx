"use client";

import { useEffect, useState } from "react";

import { formatAge } from "@/lib/format/time";

const TICK_MS = 5000;

/** How long ago something was, kept true while the page is open. */
export function LiveAge({ atMs }: { atMs: number }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    // The page was made a moment before it is here.
    <time dateTime={new Date(atMs).toISOString()} suppressHydrationWarning>
      {formatAge(nowMs - atMs)}
    </time>
  );
}
