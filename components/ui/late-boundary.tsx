"use client";

import { type ReactNode, Suspense, useState } from "react";

/**
 * Puts `Suspense` around a part that was late when it was first drawn. It stays as it began: with a boundary that came or went,
 * a renewal of the page would make the part anew, and what had the focus there would lose it.
 */
export function LateBoundary({
  isLate,
  fallback,
  children,
}: {
  isLate: boolean;
  fallback: ReactNode;
  children: ReactNode;
}) {
  const [began] = useState({ isLate });
  return began.isLate ? <Suspense fallback={fallback}>{children}</Suspense> : children;
}
