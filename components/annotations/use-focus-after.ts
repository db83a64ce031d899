"use client";

import { useEffect, useEffectEvent, useRef } from "react";

/** The step at which a trial is opened. */
const CURRENT_STEP = ".step-current [data-row-link]";

function isFocusLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.id === "main";
}

/** Gives the focus to the first of these elements that is there, where nothing has it: what had it is gone. */
export function focusWhereLost(...selectors: readonly string[]): void {
  if (!isFocusLost()) return;
  const found = selectors.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null);
  found?.focus();
}

/** Ends what `goOnInQueue` began. */
let arrival = new AbortController();

/**
 * Gives the focus to what comes next in a queue, once a trial or the queue's page is left for it.
 *
 * Steps come later than their page, and may be drawn again: whatever is drawn is looked at until the reader does something there.
 */
export function goOnInQueue(): void {
  arrival.abort();
  arrival = new AbortController();
  const { signal } = arrival;
  const give = (): void => focusWhereLost(CURRENT_STEP, "[data-review-next]", "#main");
  const drawn = new MutationObserver(give);
  signal.addEventListener("abort", () => drawn.disconnect());
  drawn.observe(document.body, { childList: true, subtree: true, attributeFilter: ["style", "hidden"] });
  const end = (): void => arrival.abort();
  for (const kind of ["pointerdown", "wheel", "touchmove"])
    document.addEventListener(kind, end, { signal, passive: true, capture: true });
  // What is typed before there is anything to stand at moves nobody away.
  const endWhereArrived = (): void => (isFocusLost() ? undefined : end());
  document.addEventListener("keydown", endWhereArrived, { signal, capture: true });
  give();
}

/** Calls `act` each time that `moment` has changed, and not when the page is first drawn. */
export function useAfter(moment: string, act: () => void): void {
  const seen = useRef(moment);
  const run = useEffectEvent(act);
  useEffect(() => {
    if (seen.current === moment) return;
    seen.current = moment;
    run();
  }, [moment]);
}
