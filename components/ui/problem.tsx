import type { ReactNode } from "react";

/** What stood in the way of what was just asked for, told to screen readers as it comes; nothing where nothing did. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="problem">
      {children}
    </p>
  );
}
