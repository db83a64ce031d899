"use client";

import { useEffect, useSyncExternalStore } from "react";

import { ScrollTo } from "@/components/trial/trial-controls";
import { decodeSegment } from "@/lib/core/domain/segment";

function subscribe(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

/** Appends the row to the list's URL, so that the browser's back button returns to it. */
function noteRow(event: MouseEvent): void {
  const row = event.target instanceof Element ? event.target.closest("a[data-row-link][id]") : null;
  const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
  if (row === null || isElsewhere) return;
  // Keeps the router's own state, so that it does not treat this as a navigation.
  window.history.replaceState(window.history.state, "", `#${encodeURIComponent(row.id)}`);
}

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
