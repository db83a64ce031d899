import { streamLive } from "@/lib/queries/shell/live-stream";
import { getAccount } from "@/lib/queries/shell/request";

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Compression would hold events back until there are enough of them.
  "Cache-Control": "no-store, no-transform",
  "X-Accel-Buffering": "no",
  "X-Content-Type-Options": "nosniff",
};

/** Server-sent events, see `streamLive`; 429 when the client has as many as it may have, and pages then try again later. */
export async function GET(request: Request): Promise<Response> {
  // Only a proxy of the owner's or Next itself wrote it, and whoever is nearest wrote last.
  const client = request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() ?? "";
  const account = await getAccount();
  const clients = [`address ${client}`, ...(account ? [`account ${account.id}`] : [])];
  const stream = streamLive(request.signal, clients);
  if (stream !== null) return new Response(stream, { headers: HEADERS });
  return new Response("Too many pages listen for changes. Reload this one to see them.\n", {
    status: 429,
    headers: { "Retry-After": "30" },
  });
}

/** What is asked for without its events takes no place. */
export function HEAD(): Response {
  return new Response(null, { headers: HEADERS });
}
