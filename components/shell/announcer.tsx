"use client";

import { useSyncExternalStore } from "react";

import "./announcer.css";

interface Announcement {
  readonly text: string;
  /** Counts up, so that the same text is said again. */
  readonly number: number;
  readonly isShown: boolean;
}

const NOTHING: Announcement = { text: "", number: 0, isShown: false };
let latest = NOTHING;
const listeners = new Set<() => void>();

/**
 * Has screen readers say what a key or button did, where the page does not say it itself.
 *
 * @param isShown - whether it is also shown for a moment, because nothing else on the page shows it
 */
export function announce(text: string, { isShown = false } = {}): void {
  latest = { text, number: latest.number + 1, isShown };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The one place from which screen readers are told what was done. */
export function Announcer() {
  const { text, number, isShown } = useSyncExternalStore(
    subscribe,
    () => latest,
    () => NOTHING,
  );
  return (
    <p className={isShown ? "announcer" : "screen-reader"} role="status">
      <span key={number}>{text}</span>
    </p>
  );
}
