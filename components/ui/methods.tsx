import type { ReactNode } from "react";

/** Closed until opened, always open in print. */
export function Methods({ children }: { children: ReactNode }) {
  return (
    <details className="methods caption">
      <summary>Methods</summary>
      {children}
    </details>
  );
}
