"use client";

import { useEffect } from "react";

/** Brings an element that the address names into view once and gives the focus to what scrolls it or leads on from it. Draws nothing. */
export function ScrollTo({
  id,
  block,
  focus,
}: {
  id: string;
  block: "center" | "nearest";
  focus: "pre" | "link";
}) {
  useEffect(() => {
    const element = document.getElementById(id);
    element?.scrollIntoView({ block });
    const target =
      focus === "pre"
        ? element?.closest<HTMLElement>("pre")
        : element?.querySelector<HTMLElement>("[data-row-link]");
    target?.focus({ preventScroll: true });
  }, [id, block, focus]);
  return null;
}
