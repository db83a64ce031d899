"use client";

import { useEffect } from "react";

import { areSingleKeysOn, isTyping } from "@/components/shell/single-keys";

/** What keys click on the page of two trials. */
const KEYS: Readonly<Record<string, string>> = {
  d: "divergence",
  n: "next-difference",
  p: "previous-difference",
  l: "scroll",
};

/** `d` goes to the first divergence, `n` and `p` to the next and previous difference, `l` lets each side scroll. Draws nothing. */
export function BesideKeys() {
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      "keydown",
      (event) => {
        const isAlone = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
        if (event.defaultPrevented || !isAlone || isTyping(event.target) || !areSingleKeysOn()) return;
        const name = KEYS[event.key];
        if (name !== undefined) document.querySelector<HTMLElement>(`[data-beside-key=${name}]`)?.click();
      },
      { signal: stop.signal },
    );
    return () => stop.abort();
  }, []);
  return null;
}
