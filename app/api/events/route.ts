import { streamLive } from "@/lib/queries/live-stream";

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Compression would hold events back until there are enough of them.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** Server-sent events, see `streamLive`. */
export function GET(request: Request): Response {
  return new Response(streamLive(request.signal), { headers: HEADERS });
}
