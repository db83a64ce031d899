import type { ReactNode } from "react";

import { waitFor } from "@/lib/domain/wait-for";

import { LateBoundary } from "./late-boundary";

type Drawn = Awaited<ReactNode>;

/** As long as React keeps a fallback that it has shown: until then nothing is later for having been waited for. */
const PATIENCE_MS = 300;

/**
 * What is drawn later, with `fallback` in its place if it takes long. A part that is there at once is drawn at once: behind
 * `Suspense` alone the browser shows the fallback of a large part for a third of a second even then.
 */
export async function Soon({ fallback, children }: { fallback: ReactNode; children: Promise<Drawn> }) {
  // A failure belongs to the boundary, so that the page around it stays.
  const isThere = await waitFor(children, PATIENCE_MS).catch(() => false);
  return (
    <LateBoundary isLate={!isThere} fallback={fallback}>
      {isThere ? await children : children}
    </LateBoundary>
  );
}
