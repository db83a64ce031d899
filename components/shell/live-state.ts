import { useSyncExternalStore } from "react";

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

/** How the index stands by now: what the server told last, else what the page was made with. */
export function useLiveState<T extends LiveState | null>(initial: T): LiveState | T {
  return useSyncExternalStore(
    subscribe,
    () => latest ?? initial,
    () => initial,
  );
}
