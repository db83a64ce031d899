"use client";

import { useEffect, useSyncExternalStore } from "react";

import { ScrollTo } from "@/components/trial/scroll-to";
import { decodeSegment } from "@/lib/addresses/href";

function subscribe(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

/** Has the browser's own way back lead to the row that is followed: the address of the list ends with it from then on. */
function noteRow(event: MouseEvent): void {
  const row = event.target instanceof Element ? event.target.closest("a[data-row-link][id]") : null;
  const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
  if (row === null || isElsewhere) return;
  // With the router's own state, so that it takes this for no navigation.
  window.history.replaceState(window.history.state, "", `#${encodeURIComponent(row.id)}`);
}

/** Gives the focus to the row that the address ends with, when the list is come back to. Draws nothing. */
export function ReturnToRow() {
  const hash = useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => "",
  );
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener("click", noteRow, { capture: true, signal: stop.signal });
    return () => stop.abort();
  }, []);
  const id = decodeSegment(hash.slice(1));
  return id === "" ? null : <ScrollTo key={id} id={id} block="center" focus="self" />;
}
