import { decodeSegment } from "@/lib/addresses/href";
import { NotFoundError } from "@/lib/domain/app-error";
import { openJobFile } from "@/lib/queries/job/files";
import { formatDisposition } from "@/lib/queries/shell/download";
import { openTrialFile } from "@/lib/queries/trial/files";

/** Whatever a file holds, a browser may neither run nor guess it: no scripts, no frames, no sniffing. */
const SAFE_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "private, no-cache",
};

/**
 * Bytes of one file of a trial, `/api/artifacts/<job>/<trial>/<file>`, or of a job, `/api/artifacts/<job>/<file>`. Images known by their first bytes are shown, text
 * is shown as plain text with `?as=text`, everything else is a download.
 */
export async function GET(request: Request): Promise<Response> {
  // The address itself and not the parsed parameters: each part is decoded exactly once, so a `%` in a name stays one.
  const url = new URL(request.url);
  const [job, second, ...rest] = url.pathname.split("/").slice(3).map(decodeSegment);
  if (job === undefined || second === undefined) return refuse(404, "Name a job and a file.");
  try {
    const opened =
      rest.length === 0 ? await openJobFile(job, second) : await openTrialFile(job, second, rest.join("/"));
    if (!opened.ok) return refuse(404, opened.issue.detail);
    const { name, sizeBytes, imageType, body } = opened.value;
    // Nobody takes the body of a reader that left before the answer began; one that is being taken is its taker's to cancel.
    if (request.signal.aborted) {
      await body.cancel();
      return refuse(400, "The connection ended.");
    }
    request.signal.addEventListener(
      "abort",
      () => void (body.locked ? null : body.cancel().catch(() => undefined)),
      { once: true },
    );
    const asText = url.searchParams.get("as") === "text";
    return new Response(sizeBytes === 0 ? null : body, {
      headers: {
        ...SAFE_HEADERS,
        "Content-Type": imageType ?? (asText ? "text/plain; charset=utf-8" : "application/octet-stream"),
        "Content-Length": String(sizeBytes),
        ...(imageType !== null || asText ? {} : { "Content-Disposition": formatDisposition(name) }),
      },
    });
  } catch (error) {
    if (error instanceof NotFoundError) return refuse(404, error.message);
    throw error;
  }
}

/** What {@link GET} would say, without the bytes; the file is closed, which nobody else would do. */
export async function HEAD(request: Request): Promise<Response> {
  const { body, status, headers } = await GET(request);
  await body?.cancel();
  return new Response(null, { status, headers });
}

function refuse(status: number, words: string): Response {
  return new Response(`${words}\n`, {
    status,
    headers: { ...SAFE_HEADERS, "Content-Type": "text/plain; charset=utf-8" },
  });
}
