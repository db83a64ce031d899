import type { ReactNode } from "react";

export function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="problem">
      {children}
    </p>
  );
}
