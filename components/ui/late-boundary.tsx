"use client";

import { type ReactNode, Suspense, useState } from "react";

/**
 * Puts `Suspense` around a part that was late when it was first drawn. It stays as it began: with a boundary that came or went,
 * a renewal of the page would make the part anew, and what had the focus there would lose it. What stands in its place says
 * that it is busy, for screen readers and for whoever waits for the page to be whole.
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
  if (!began.isLate) return children;
  const standIn = (
    <div className="stand-in" aria-busy="true">
      {fallback}
    </div>
  );
  return <Suspense fallback={standIn}>{children}</Suspense>;
}
