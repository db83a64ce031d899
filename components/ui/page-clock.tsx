"use client";

import { createContext, type ReactNode, use, useSyncExternalStore } from "react";

import { getBasePath } from "@/lib/core/domain/base-path";
import { type PageClock, UTC_ZONE, ZONE_COOKIE } from "@/lib/core/format/time";

let chosenZone: string | null = null;
let ownZone: string | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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
  const zone = useSyncExternalStore(
    subscribe,
    () => chosenZone ?? (initialZone === UTC_ZONE ? UTC_ZONE : readOwnZone()),
    () => initialZone,
  );
  return { zone, year };
}

/** Null until the page is hydrated. */
export function useOwnZone(): string | null {
  return useSyncExternalStore(subscribe, readOwnZone, () => null);
}

export function toggleZone(current: string): void {
  chosenZone = current === UTC_ZONE ? readOwnZone() : UTC_ZONE;
  // A cookie, so that the server renders the next page in this zone.
  document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(chosenZone)}; path=${getBasePath() || "/"}; max-age=31536000; samesite=lax`;
  for (const listener of listeners) listener();
}
