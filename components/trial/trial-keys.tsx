"use client";

import { useEffect, useState } from "react";

import { areSingleKeysOn } from "@/components/shell/single-keys";

/** The step that holds the focus, else the one the page opened at. */
function findStepLink(): HTMLAnchorElement | null {
  const row =
    document.activeElement?.closest("[data-step]") ?? document.querySelector("[data-step].step-current");
  return row?.querySelector<HTMLAnchorElement>("a[data-row-link]") ?? null;
}

function isFree(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return true;
  return (
    target.closest(
      "input, textarea, select, pre, [role=radiogroup], [role=radio], [contenteditable], details[data-menu]",
    ) === null
  );
}

/** Arrow keys go to the previous and next trial, `y` copies a link to the step. Says what was copied, draws nothing else. */
export function TrialKeys() {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
          return;
        if (!isFree(event.target) || !areSingleKeysOn()) return;
        if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
          const direction = event.key === "ArrowLeft" ? "previous" : "next";
          document.querySelector<HTMLAnchorElement>(`a[data-neighbour=${direction}]`)?.click();
        } else if (event.key === "y") {
          const link = findStepLink();
          if (link !== null) void copyLink(link).then(setSaid);
        }
      },
      { signal: stop.signal },
    );
    return () => stop.abort();
  }, []);
  return (
    <p className={said === "" ? "screen-reader" : "trial-said"} role="status">
      {said}
    </p>
  );
}

async function copyLink(link: HTMLAnchorElement): Promise<string> {
  const name = link.getAttribute("aria-label") ?? "the step";
  try {
    await navigator.clipboard.writeText(link.href);
    return `Link to ${name.toLowerCase()} copied`;
  } catch {
    // Browsers refuse outside a secure context; the step's number is a link that can be copied by hand.
    return "Copying is not allowed here";
  }
}
