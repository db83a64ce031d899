"use client";

import { useSyncExternalStore } from "react";

import "./announcer.css";

interface Announcement {
  readonly text: string;
  /** Counts up, so that a repeated text is announced again. */
  readonly number: number;
  readonly isShown: boolean;
}

const NOTHING: Announcement = { text: "", number: 0, isShown: false };
let latest = NOTHING;
const listeners = new Set<() => void>();

export function announce(text: string, { isShown = false } = {}): void {
  latest = { text, number: latest.number + 1, isShown };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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
