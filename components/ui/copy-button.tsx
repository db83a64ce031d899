"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";

/**
 * Copies `text`, which may be made when it is needed; says so in place for two seconds. Named by `label`, and an icon
 * without `children`.
 */
export function CopyButton({
  text,
  label,
  children,
}: {
  text: string | (() => string);
  label: string;
  children?: React.ReactNode;
}) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");

  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
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
