"use client";

import { useEffect } from "react";

/** Brings the step that the address names into view once, and starts `j` and `k` from it. Draws nothing. */
export function ScrollToStep({ stepKey }: { stepKey: string }) {
  useEffect(() => {
    const row = document.getElementById(`step-${stepKey}`);
    row?.scrollIntoView({ block: "nearest" });
    row?.querySelector<HTMLElement>("[data-row-link]")?.focus({ preventScroll: true });
  }, [stepKey]);
  return null;
}
