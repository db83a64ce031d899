"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";

/**
 * Copies `text`, which may be made when it is needed, or what the element with the id `from` says, so that a long text is on the page once;
 * says so in place for two seconds. Named by `label`, and an icon without `children`.
 */
export function CopyButton({
  label,
  children,
  ...what
}: {
  label: string;
  children?: React.ReactNode;
} & ({ text: string | (() => string) } | { from: string })) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");

  async function copy() {
    try {
      await navigator.clipboard.writeText(readText(what));
      setState("copied");
    } catch {
      // Browsers refuse outside a secure context; the text stays selectable on the page.
      setState("failed");
    }
    setTimeout(() => setState("idle"), 2000);
  }

  const words = state === "copied" ? "Copied" : state === "failed" ? "Copying is not allowed here" : label;
  return (
    <button
      type="button"
      className={children === undefined ? "button button-bare icon-only" : "button button-bare"}
      onClick={() => void copy()}
      title={words}
      aria-label={children === undefined || state === "idle" ? words : undefined}
    >
      {state === "copied" ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      {children === undefined ? null : state === "idle" ? children : words}
    </button>
  );
}

function readText(what: { text: string | (() => string) } | { from: string }): string {
  if ("from" in what) return document.getElementById(what.from)?.textContent ?? "";
  return typeof what.text === "string" ? what.text : what.text();
}
