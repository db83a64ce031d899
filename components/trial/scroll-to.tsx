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
  focus: "pre" | "link" | "self";
}) {
  useEffect(() => {
    const element = document.getElementById(id);
    element?.scrollIntoView({ block });
    // Who goes from one match to the next stays in the field.
    if (document.activeElement?.hasAttribute("data-find") === true) return;
    const target = {
      pre: element?.closest("pre"),
      link: element?.querySelector<HTMLElement>("[data-row-link]"),
      self: element,
    }[focus];
    // A row that was left by mouse or touch is come back to by those, and is to be seen all the same.
    target?.focus({ preventScroll: true, ...(focus === "self" ? { focusVisible: true } : {}) });
  }, [id, block, focus]);
  return null;
}
