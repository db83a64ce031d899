"use client";

import { useState } from "react";

/** Shows the exact double on hover or focus; a click copies it. `exact` is Python's text, for comparison with a result file. */
export function ExactNumber({ shown, exact }: { shown: string; exact: string }) {
  const [note, setNote] = useState("");

  async function copy() {
    try {
      await navigator.clipboard.writeText(exact);
      setNote("Copied");
    } catch {
      // Browsers refuse outside a secure context.
      setNote("Copying requires HTTPS");
    }
    setTimeout(() => setNote(""), 1500);
  }

  return (
    <button
      type="button"
      className="text-button exact-number"
      title={note === "" ? `${exact} (click to copy)` : note}
      onClick={() => void copy()}
    >
      {shown}
      {note === "" ? null : (
        <span className="exact-copied" role="status">
          {note}
        </span>
      )}
    </button>
  );
}
