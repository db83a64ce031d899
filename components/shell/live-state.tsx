"use client";

import { createContext, type ReactNode, use, useSyncExternalStore } from "react";

import type { LiveState } from "@/lib/queries/live";

/** What the server told this page last; null before it told anything. */
let latest: LiveState | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called by the one connection of the page. */
export function setLiveState(state: LiveState): void {
  latest = state;
  for (const listener of listeners) listener();
}

const InitialState = createContext<LiveState | null>(null);

/** Tells everything below it how the index stood when the page was made. */
export function LiveStateProvider({ initial, children }: { initial: LiveState; children: ReactNode }) {
  return <InitialState value={initial}>{children}</InitialState>;
}

/** How the index stands by now: what the server told last, else what the page was made with; null outside of a page. */
export function useLiveState(): LiveState | null {
  const initial = use(InitialState);
  return useSyncExternalStore(
    subscribe,
    () => latest ?? initial,
    () => initial,
  );
}
