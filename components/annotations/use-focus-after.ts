"use client";

import { useEffect, useEffectEvent, useRef } from "react";

import { isFocusLost, makeFocusHold } from "@/components/shell/hold-focus";

const CURRENT_STEP = ".step-current [data-row-link]";

export function focusWhereLost(...selectors: readonly string[]): void {
  if (!isFocusLost()) return;
  const found = selectors.map((one) => document.querySelector<HTMLElement>(one)).find((one) => one !== null);
  found?.focus();
}

const holdInQueue = makeFocusHold();

export function goOnInQueue(): void {
  holdInQueue(() => focusWhereLost(CURRENT_STEP, "[data-review-next]", "#main"));
}

export function useAfter(moment: string, act: () => void): void {
  const seen = useRef(moment);
  const run = useEffectEvent(act);
  useEffect(() => {
    if (seen.current === moment) return;
    seen.current = moment;
    run();
  }, [moment]);
}
