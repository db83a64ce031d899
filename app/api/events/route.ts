import { type LiveState, subscribeLive } from "@/lib/queries/live";

/** Proxies and browsers give up on a silent connection. */
const HEARTBEAT_MS = 15_000;

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Compression would hold events back until there are enough of them.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** Server-sent events: `status` with a `LiveState` at once and whenever it changes, until the page closes it. */
export async function GET(request: Request): Promise<Response> {
  const encoder = new TextEncoder();
  let end = (): void => undefined;
  const stream = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      let isOpen = true;
      const send = (text: string): void => {
        if (isOpen) controller.enqueue(encoder.encode(text));
      };
      const heartbeat = setInterval(() => send(": still here\n\n"), HEARTBEAT_MS);
      let unsubscribe = (): void => undefined;
      end = () => {
        if (!isOpen) return;
        isOpen = false;
        clearInterval(heartbeat);
        unsubscribe();
      };
      request.signal.addEventListener("abort", end);
      send("retry: 2000\n\n");
      try {
        const stop = await subscribeLive((state: LiveState) =>
          send(`event: status\ndata: ${JSON.stringify(state)}\n\n`),
        );
        unsubscribe = stop;
        // The page may have gone while the index was being opened, when there was nothing to stop.
        if (request.signal.aborted) stop();
      } catch (error) {
        end();
        throw error;
      }
    },
    cancel: () => end(),
  });
  return Promise.resolve(new Response(stream, { headers: HEADERS }));
}
