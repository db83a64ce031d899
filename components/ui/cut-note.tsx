import type { ReactNode } from "react";

import { formatCount } from "@/lib/core/format/number";

/** Says how much of a list is shown; renders nothing if all is. */
export function CutNote({
  shown,
  total,
  noun = "",
  children,
}: {
  shown: number;
  total: number;
  noun?: string;
  /** A sentence on the rest. */
  children?: ReactNode;
}) {
  if (shown >= total) return null;
  return (
    <p className="caption table-note">
      The first {formatCount(shown)} of {formatCount(total)}
      {noun && ` ${noun}`}. {children}
    </p>
  );
}
