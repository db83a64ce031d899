import type { ReactNode } from "react";

import { waitFor } from "@/lib/core/domain/wait-for";

import { LateBoundary } from "./late-boundary";

type Drawn = Awaited<ReactNode>;

/** React keeps a fallback it has shown this long, so waiting up to then delays nothing. */
const PATIENCE_MS = 300;

/** Shows `fallback` only if the part takes long: `Suspense` alone shows it for a third of a second even for ready parts. */
export async function DelayedSuspense({
  fallback,
  children,
}: {
  fallback: ReactNode;
  children: Promise<Drawn>;
}) {
  // The boundary handles the failure, so that the page around it stays.
  const isThere = await waitFor(children, PATIENCE_MS).catch(() => false);
  return (
    <LateBoundary isLate={!isThere} fallback={fallback}>
      {isThere ? await children : children}
    </LateBoundary>
  );
}
