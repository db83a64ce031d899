"use client";

import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";

export function CopyButton({
  text,
  label,
  withAddress = false,
  source,
  children,
}: {
  text: string | (() => string);
  label: string;
  /** Adds the address of the page, which only the browser knows. */
  withAddress?: boolean;
  source?: (button: HTMLElement) => Element | null | undefined;
  children?: React.ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");

  async function copy() {
    try {
      const copied = typeof text === "string" ? text : text();
      await navigator.clipboard.writeText(withAddress ? `${copied}\n${location.href}` : copied);
      setState("copied");
    } catch {
      // Browsers refuse outside a secure context; the text stays selectable on the page.
      setState("failed");
      const shown = button.current === null ? null : source?.(button.current);
      if (shown) {
        getSelection()?.selectAllChildren(shown);
        return;
      }
    }
    setTimeout(() => setState("idle"), 2000);
  }

  const refused =
    source === undefined ? "Copying requires HTTPS" : "Selected: press Ctrl+C. Copy buttons require HTTPS";
  const words = state === "copied" ? "Copied" : state === "failed" ? refused : label;
  return (
    <button
      ref={button}
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
