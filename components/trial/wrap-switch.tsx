"use client";

import { WrapText } from "lucide-react";
import { useSyncExternalStore } from "react";

import "./wrap-switch.css";

const KEY = "assay-wrap";
const CHANGED = "assay-wrap-changed";

function isWrapped(): boolean {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return document.documentElement.hasAttribute("data-wrap");
  }
}

function subscribe(notify: () => void): () => void {
  const show = () => {
    document.documentElement.toggleAttribute("data-wrap", isWrapped());
    notify();
  };
  show();
  window.addEventListener(CHANGED, show);
  window.addEventListener("storage", show);
  return () => {
    window.removeEventListener(CHANGED, show);
    window.removeEventListener("storage", show);
  };
}

/** Whether long lines of commands, outputs and files are wrapped, which this browser remembers; `w` switches it. */
export function WrapSwitch() {
  const isOn = useSyncExternalStore(subscribe, isWrapped, () => false);
  return (
    <button
      type="button"
      className="button button-bare wrap-switch"
      aria-pressed={isOn}
      title="Wrap long lines (w)"
      data-wrap-switch=""
      onClick={() => {
        try {
          localStorage.setItem(KEY, isOn ? "off" : "on");
        } catch {
          // Storage may be blocked; the choice then holds for this page.
          document.documentElement.toggleAttribute("data-wrap", !isOn);
        }
        window.dispatchEvent(new Event(CHANGED));
      }}
    >
      <WrapText size={14} aria-hidden /> Wrap
    </button>
  );
}
