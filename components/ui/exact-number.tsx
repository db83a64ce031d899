"use client";

import { useState } from "react";

import "./exact-number.css";

/**
 * A number as shown, with the exact double behind it: hovering or focusing says it, a click copies it.
 * `exact` is Python's text of the double, so that it can be compared with a result file by eye.
 */
export function ExactNumber({ shown, exact }: { shown: string; exact: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="exact-number"
      title={copied ? "Copied" : `${exact} (click to copy)`}
      onClick={() => {
        void navigator.clipboard.writeText(exact).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), 1500);
        });
      }}
    >
      {shown}
      {copied ? (
        <span className="exact-copied" role="status">
          Copied
        </span>
      ) : null}
    </button>
  );
}
