import "server-only";
import { subscribeLive } from "./live";

/** Proxies and browsers drop a silent connection. */
const HEARTBEAT_MS = 15_000;
/** A visible page has one stream, a hidden page none. One person, or one office behind one address, needs far fewer. */
const MAX_STREAMS_OF_ONE = 32;
const MAX_STREAMS = 256;
/** Unread messages before a reader is disconnected. */
const MAX_WAITING = 100;

let nOpenOfAll = 0;
const nOpenByClient = new Map<string, number>();

/**
 * Streams `status` events until the reader cancels, `request` aborts, or too much stays unread. Streams are limited for each of
 * `clients`, so that one client cannot take all; null at a limit.
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
        // The reader may have left while the index was being opened.
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

/** Counts one more stream until the returned function is called; null at the limit. */
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
