import { streamLive } from "@/lib/pages/shell/live";
import { getAccount } from "@/lib/pages/shell/request";

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Compression would hold events back until there are enough of them.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** Streams server-sent events, see `streamLive`. Returns 429 when the client has too many streams; pages then retry later. */
export async function GET(request: Request): Promise<Response> {
  // The owner's proxy or Next sets this header; the nearest one writes last.
  const client = request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  const account = await getAccount();
  const clients = [`address ${client}`, ...(account ? [`account ${account.id}`] : [])];
  const stream = streamLive(request.signal, clients);
  if (stream !== null) return new Response(stream, { headers: HEADERS });
  return new Response("Too many pages are listening for changes. Reload this page to see them.\n", {
    status: 429,
    headers: { "Retry-After": "30" },
  });
}

/** A HEAD request takes no stream. */
export function HEAD(): Response {
  return new Response(null, { headers: HEADERS });
}
