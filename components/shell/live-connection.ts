import { withBasePath } from "@/lib/domain/base-path";
import type { LiveState } from "@/lib/queries/shell/live";

const EVENTS_HREF = "/api/events";
/** A page that is being left loses its connection too; that is nothing to tell. */
const SILENCE_MS = 1500;
const RETRY_MS = 2000;
/** A server that has too many listeners is asked ever less often. */
const LONGEST_RETRY_MS = 32_000;

/** What a page does about its connection. */
export interface LiveListener {
  readonly onState: (state: LiveState) => void;
  /** The server does not answer. */
  readonly onLost: () => void;
  /** It answers again, perhaps started anew. */
  readonly onBack: () => void;
}

/**
 * Listens to the server while the page can be seen. A hidden page has no connection, so that many open tabs leave
 * the few connections that browsers allow to those that load something; it is told what it missed when it is seen again.
 *
 * @returns ends it
 */
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
      // The server of this very build wrote it.
      listener.onState(JSON.parse(event.data) as LiveState);
    });
    source.addEventListener("error", () => {
      if (!isLost) {
        telling ??= setTimeout(() => {
          isLost = true;
          listener.onLost();
        }, SILENCE_MS);
      }
      // The browser tries again by itself unless the server answered with something else than events.
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
