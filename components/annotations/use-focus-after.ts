"use client";

import { useEffect, useEffectEvent, useRef } from "react";

/** The step at which a trial is opened. */
const CURRENT_STEP = ".step-current [data-row-link]";

/** Gives the focus to the first of these elements that is there, where nothing has it: what had it is gone. */
export function focusWhereLost(...selectors: readonly string[]): void {
  const active = document.activeElement;
  if (active !== null && active !== document.body && active.id !== "main") return;
  const found = selectors.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null);
  found?.focus();
}

/** Whether a trial of a queue was left for what comes next, which is not drawn yet. */
let isGoingOn = false;

/** Gives the focus to what comes next in a queue, once a trial or the queue's page is left for it. */
export function goOnInQueue(): void {
  isGoingOn = true;
  focusWhereLost(CURRENT_STEP, "[data-review-next]", "#main");
}

/** The same where the steps of the trial came later than its page. Nothing on a page that was opened by its address. */
export function arriveInQueue(): void {
  if (isGoingOn) focusWhereLost(CURRENT_STEP);
  isGoingOn = false;
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
