"use client";

import { createContext, type ReactNode, use, useEffect } from "react";

import { createSignal, useSignal } from "@/components/ui/signal";
import type { LiveState } from "@/lib/pages/shell/live";

const latest = createSignal<LiveState | null>(null);

/** Called by the only connection of the page. */
export const setLiveState = (state: LiveState): void => latest.set(state);

const nHolds = createSignal(0);

/** Holds renewals back during a command, whose answer renders the page anyway. */
export function useHeldRenewals(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    nHolds.set(nHolds.get() + 1);
    return () => nHolds.set(nHolds.get() - 1);
  }, [isUnderWay]);
}

export function useIsHeld(): boolean {
  return useSignal(nHolds, 0) > 0;
}

const InitialState = createContext<LiveState | null>(null);

export function LiveStateProvider({ initial, children }: { initial: LiveState; children: ReactNode }) {
  return <InitialState value={initial}>{children}</InitialState>;
}

export function useLiveState(): LiveState | null {
  const initial = use(InitialState);
  return useSignal(latest, null) ?? initial;
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
