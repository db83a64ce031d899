"use client";

import { useEffect } from "react";

import { isTyping } from "@/components/shell/commands";

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
    // A row that was left by mouse or touch still needs a visible focus on return.
    target?.focus({ preventScroll: true, ...(focus === "self" ? { focusVisible: true } : {}) });
  }, [id, block, focus]);
  return null;
}

/** True if the user is stepping through matches or started a note: further keys would run as commands. */
function isTypedInto(field: Element | null): boolean {
  // The number field that led here is emptied at once.
  return isTyping(field) && !field.matches(".go-to > :placeholder-shown");
}
