import "server-only";

import { subscribeLive } from "./live";

/** Proxies and browsers give up on a silent connection. */
const HEARTBEAT_MS = 15_000;

/**
 * Server-sent events: `status` with a `LiveState` at once and whenever it changes, until the reader cancels or `request`
 * is aborted, whichever comes first and whenever it does.
 *
 * @param subscribe - calls back with each state and gives what ends it
 */
export function streamLive(
  request: AbortSignal,
  subscribe: typeof subscribeLive = subscribeLive,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const closing = new AbortController();
  const close = () => closing.abort();
  const { signal } = closing;
  return new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const send = (text: string): void => {
        if (!signal.aborted) controller.enqueue(encoder.encode(text));
      };
      const heartbeat = setInterval(() => send(": still here\n\n"), HEARTBEAT_MS);
      signal.addEventListener("abort", () => clearInterval(heartbeat));
      request.addEventListener("abort", close, { signal });
      if (request.aborted) close();
      send("retry: 2000\n\n");
      try {
        const stop = await subscribe((state) => send(`event: status\ndata: ${JSON.stringify(state)}\n\n`));
        // The reader may have gone while the index was being opened, when there was nothing to stop.
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop);
      } catch (error) {
        close();
        throw error;
      }
    },
    cancel: close,
  });
}
