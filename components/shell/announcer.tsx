"use client";

import { createSignal, useSignal } from "@/components/ui/signal";

/** `number` counts up, so that a repeated text is announced again. */
const NOTHING = { text: "", number: 0, isShown: false };
const latest = createSignal(NOTHING);

export function announce(text: string, { isShown = false } = {}): void {
  latest.set({ text, number: latest.get().number + 1, isShown });
}

export function Announcer() {
  const { text, number, isShown } = useSignal(latest, NOTHING);
  return (
    <p className={isShown ? "announcer" : "screen-reader"} role="status">
      <span key={number}>{text}</span>
    </p>
  );
}
