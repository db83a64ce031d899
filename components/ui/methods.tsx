import type { ReactNode } from "react";

import "./methods.css";

/** Explains how the figures above it are computed: closed until opened, always open in print. */
export function Methods({ children }: { children: ReactNode }) {
  return (
    <details className="methods caption">
      <summary>Methods</summary>
      {children}
    </details>
  );
}
