"use client";

import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from "react";

import type { LiveState } from "@/lib/pages/shell/live";

let latest: LiveState | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called by the only connection of the page. */
export function setLiveState(state: LiveState): void {
  latest = state;
  for (const listener of listeners) listener();
}

let nHolds = 0;

/** Holds renewals back during a command, whose answer renders the page anyway. */
export function useHeldRenewals(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    changeHolds(1);
    return () => changeHolds(-1);
  }, [isUnderWay]);
}

function changeHolds(by: number): void {
  nHolds += by;
  for (const listener of listeners) listener();
}

export function useIsHeld(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => nHolds > 0,
    () => false,
  );
}

const InitialState = createContext<LiveState | null>(null);

export function LiveStateProvider({ initial, children }: { initial: LiveState; children: ReactNode }) {
  return <InitialState value={initial}>{children}</InitialState>;
}

export function useLiveState(): LiveState | null {
  const initial = use(InitialState);
  return useSyncExternalStore(
    subscribe,
    () => latest ?? initial,
    () => initial,
  );
}

export function nameVersion({ status, nSaves, annotations }: LiveState): string {
  return `${status.generation} ${nSaves} ${annotations} ${status.phase === "failed" ? "failed" : ""}`;
}

/** A page may be ahead: it is rendered after its own save, before an older event arrives. */
export function hasNews(latest: LiveState, rendered: LiveState): boolean {
  return (
    latest.status.generation > rendered.status.generation ||
    latest.nSaves > rendered.nSaves ||
    (latest.annotations ?? -1) > (rendered.annotations ?? -1) ||
    (latest.annotations === null) !== (rendered.annotations === null) ||
    (latest.status.phase === "failed") !== (rendered.status.phase === "failed")
  );
}
