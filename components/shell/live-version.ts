import type { LiveState } from "@/lib/queries/shell/live";

/** Changes whenever something that any page shows did. */
export function nameVersion({ status, nSaves, annotations }: LiveState): string {
  return `${status.generation} ${nSaves} ${annotations} ${status.phase === "failed" ? "failed" : ""}`;
}

/**
 * Whether what the server tells has anything that a page lacks. A page may know more: it is made after its own save, while
 * what is told on the way may have been put together before.
 */
export function hasNews(told: LiveState, made: LiveState): boolean {
  return (
    told.status.generation > made.status.generation ||
    told.nSaves > made.nSaves ||
    (told.annotations ?? -1) > (made.annotations ?? -1) ||
    (told.annotations === null) !== (made.annotations === null) ||
    (told.status.phase === "failed") !== (made.status.phase === "failed")
  );
}
