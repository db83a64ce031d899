"use client";

import { type ReactNode, Suspense, useState } from "react";

/** Keeps the `Suspense` of the first render: adding or removing it later would remount the part and lose its focus. */
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
