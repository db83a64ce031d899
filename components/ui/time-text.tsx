"use client";

import { createContext, type ReactNode, use } from "react";

import { getBasePath } from "@/lib/core/domain/base-path";
import type { ClockTime } from "@/lib/core/domain/clock-time";
import {
  describeRawTime,
  formatInstant,
  formatTime,
  type PageClock,
  UTC_ZONE,
  ZONE_COOKIE,
} from "@/lib/core/format/time";

import { createSignal, useSignal } from "./signal";

const chosenZone = createSignal<string | null>(null);
let ownZone: string | null = null;

function readOwnZone(): string {
  return (ownZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

const InitialClock = createContext<PageClock>({ zone: UTC_ZONE, year: 0 });

export function PageClockProvider({ initial, children }: { initial: PageClock; children: ReactNode }) {
  return <InitialClock value={initial}>{children}</InitialClock>;
}

/** A reader who chose the local zone and has moved gets the new one. */
export function usePageClock(): PageClock {
  const { zone: initialZone, year } = use(InitialClock);
  const zone = useSignal(
    { ...chosenZone, get: () => chosenZone.get() ?? (initialZone === UTC_ZONE ? UTC_ZONE : readOwnZone()) },
    initialZone,
  );
  return { zone, year };
}

/** Null until the page is hydrated. */
export function useOwnZone(): string | null {
  return useSignal<string | null>({ ...chosenZone, get: readOwnZone }, null);
}

export function toggleZone(current: string): void {
  const zone = current === UTC_ZONE ? readOwnZone() : UTC_ZONE;
  // A cookie, so that the server renders the next page in this zone.
  document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(zone)}; path=${getBasePath() || "/"}; max-age=31536000; samesite=lax`;
  chosenZone.set(zone);
}

export function TimeText({
  time,
  precision = "minute",
  narrow = false,
  withYear = false,
  className,
}: {
  time: ClockTime | null;
  precision?: "day" | "minute" | "second";
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
