"use client";

import { useEffect } from "react";

import { isTyping } from "@/components/shell/commands";

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
    if (isTypedInto(document.activeElement)) return;
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

/** Whether somebody goes from one match to the next, or began a note before what they opened came: the rest would be taken for commands. */
function isTypedInto(field: Element | null): boolean {
  // The field that led here is emptied at once.
  return isTyping(field) && !field.matches("[data-go-to]:placeholder-shown");
}
