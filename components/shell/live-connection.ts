import { withBasePath } from "@/lib/core/domain/base-path";
import type { LiveState } from "@/lib/pages/shell/live";

const EVENTS_HREF = "/api/events";
/** A page that is being left loses its connection too, which is not an outage. */
const SILENCE_MS = 1500;
const RETRY_MS = 2000;
/** Backs off from a server that has too many listeners. */
const LONGEST_RETRY_MS = 32_000;

export interface LiveListener {
  readonly onState: (state: LiveState) => void;
  readonly onLost: () => void;
  readonly onBack: () => void;
}

/** Listens while the page is visible: hidden tabs must not use up the browser's few connections. Returns a cleanup. */
export function listenLive(listener: LiveListener): () => void {
  let source: EventSource | null = null;
  let isLost = false;
  let retryMs = RETRY_MS;
  let telling: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;

  const close = (): void => {
    source?.close();
    source = null;
    clearTimeout(telling);
    clearTimeout(retrying);
    telling = undefined;
  };
  const open = (): void => {
    close();
    source = new EventSource(withBasePath(EVENTS_HREF));
    source.addEventListener("status", (event: MessageEvent<string>) => {
      clearTimeout(telling);
      telling = undefined;
      retryMs = RETRY_MS;
      if (isLost) {
        isLost = false;
        listener.onBack();
      }
      // Written by the server of the same build.
      listener.onState(JSON.parse(event.data) as LiveState);
    });
    source.addEventListener("error", () => {
      if (!isLost) {
        telling ??= setTimeout(() => {
          isLost = true;
          listener.onLost();
        }, SILENCE_MS);
      }
      // The browser reconnects automatically unless the server answered with something else than events.
      if (source?.readyState !== EventSource.CLOSED) return;
      retrying = setTimeout(reopen, retryMs);
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    });
  };
  const reopen = (): void => {
    const wasTelling = telling !== undefined;
    open();
    if (wasTelling && !isLost) {
      isLost = true;
      listener.onLost();
    }
  };
  const follow = (): void => {
    if (document.hidden) close();
    else if (source === null) open();
  };
  const stop = new AbortController();
  document.addEventListener("visibilitychange", follow, { signal: stop.signal });
  // A page in the browser's back and forward cache must hold no connection.
  window.addEventListener("pagehide", close, { signal: stop.signal });
  window.addEventListener("pageshow", follow, { signal: stop.signal });
  follow();
  return () => {
    stop.abort();
    close();
  };
}
