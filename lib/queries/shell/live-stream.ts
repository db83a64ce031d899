import "server-only";

import { subscribeLive } from "./live";

/** Proxies and browsers give up on a silent connection. */
const HEARTBEAT_MS = 15_000;
/** A page that can be seen has one, a hidden one none: far more than one person looks at, or one office behind one address. */
const MAX_STREAMS_OF_ONE = 32;
const MAX_STREAMS = 256;
/** What a reader that reads nothing may leave waiting here before it is let go. */
const MAX_WAITING = 100;

/** How many streams are open now, of all and by each address and account. */
let nOpenOfAll = 0;
const nOpenByClient = new Map<string, number>();

/**
 * Server-sent events: `status` with a `LiveState` at once and whenever it changes, until the reader cancels, `request` is
 * aborted, or the reader has left too much unread, whichever comes first and whenever it does.
 *
 * @param clients - who asks, by address and by account, so that nobody takes all places
 * @param subscribe - calls back with each state and gives what ends it
 * @returns null when one of these, or all clients together, have as many as may be
 */
export function streamLive(
  request: AbortSignal,
  clients: readonly string[],
  subscribe: typeof subscribeLive = subscribeLive,
): ReadableStream<Uint8Array> | null {
  const leave = takePlace(clients);
  if (leave === null) return null;
  const encoder = new TextEncoder();
  const closing = new AbortController();
  const close = () => closing.abort();
  const { signal } = closing;
  signal.addEventListener("abort", leave);
  return new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const send = (text: string): void => {
        if (signal.aborted) return;
        controller.enqueue(encoder.encode(text));
        if ((controller.desiredSize ?? 0) > -MAX_WAITING) return;
        controller.close();
        close();
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

/** Counts one more stream of whoever asks until it is called back; null when there are enough. */
function takePlace(clients: readonly string[]): (() => void) | null {
  const count = (client: string) => nOpenByClient.get(client) ?? 0;
  if (nOpenOfAll >= MAX_STREAMS || clients.some((client) => count(client) >= MAX_STREAMS_OF_ONE)) return null;
  nOpenOfAll++;
  for (const client of clients) nOpenByClient.set(client, count(client) + 1);
  return () => {
    nOpenOfAll--;
    for (const client of clients) {
      if (count(client) > 1) nOpenByClient.set(client, count(client) - 1);
      else nOpenByClient.delete(client);
    }
  };
}
