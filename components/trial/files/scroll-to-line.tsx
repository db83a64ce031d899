"use client";

import { useEffect } from "react";

/** Brings the line that the address names into view once, and what scrolls it under the keyboard. Draws nothing. */
export function ScrollToLine({ id }: { id: string }) {
  useEffect(() => {
    const line = document.getElementById(id);
    line?.scrollIntoView({ block: "center" });
    line?.closest<HTMLElement>("pre")?.focus({ preventScroll: true });
  }, [id]);
  return null;
}
