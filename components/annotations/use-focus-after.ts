"use client";

import { useEffect, useEffectEvent, useRef } from "react";

import { isFocusLost, makeFocusHold } from "@/components/shell/hold-focus";

/** The step at which a trial is opened. */
const CURRENT_STEP = ".step-current [data-row-link]";

/** Gives the focus to the first of these elements that is there, where nothing has it: what had it is gone. */
export function focusWhereLost(...selectors: readonly string[]): void {
  if (!isFocusLost()) return;
  const found = selectors.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null);
  found?.focus();
}

const holdInQueue = makeFocusHold();

/** Gives the focus to what comes next in a queue, once a trial or the queue's page is left for it. */
export function goOnInQueue(): void {
  holdInQueue(() => focusWhereLost(CURRENT_STEP, "[data-review-next]", "#main"));
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
