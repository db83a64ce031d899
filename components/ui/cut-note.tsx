import type { ReactNode } from "react";

import { formatCount } from "@/lib/format/number";

/** Above or below a list that a page shows the beginning of: how much of it that is, and how to get at the rest. Nothing when it is all of it. */
export function CutNote({
  shown,
  total,
  children,
}: {
  shown: number;
  total: number;
  /** A sentence on the rest. */
  children: ReactNode;
}) {
  if (shown === total) return null;
  return (
    <p className="caption table-note">
      The first {formatCount(shown)} of {formatCount(total)}. {children}
    </p>
  );
}
