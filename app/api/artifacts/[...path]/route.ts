import { NotFoundError } from "@/lib/core/domain/app-error";
import { withoutBasePath } from "@/lib/core/domain/base-path";
import { decodeSegment } from "@/lib/core/domain/segment";
import { openJobFile } from "@/lib/pages/job/files";
import { requireQueueItem } from "@/lib/pages/queues/item";
import { formatDisposition } from "@/lib/pages/shell/download";
import { isFileShown, uncover } from "@/lib/pages/trial/blind";
import {
  getStepImage,
  openTrialFile,
  type RangeRequest,
  type RawFile,
  type StepImageRequest,
} from "@/lib/pages/trial/files";

const PLAIN_TEXT = "text/plain; charset=utf-8";
const NO_BYTES = { from: 0, to: 0 };

/** Browsers must neither execute a file nor guess its type: no scripts, no frames, no sniffing. */
const SAFE_HEADERS = {
  "Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "private, no-cache",
};

/**
 * Serves a file of a trial, `/api/artifacts/<job>/<trial>/<file>`, or of a job, `/api/artifacts/<job>/<file>`, whole or one range.
 * Images, audio and video with known first bytes are inline, text is plain text with `?as=text`. Everything else, and any file
 * with `?as=file`, is a download. `?step=<key>&image=<n>` serves an image that is embedded in a step of the trial's trace.
 */
export function GET(request: Request): Promise<Response> {
  const { headers } = request;
  return answer(request, { range: headers.get("range"), ifRange: headers.get("if-range") });
}

async function answer(request: Request, asked: RangeRequest): Promise<Response> {
  // Not the parsed parameters: each part of the URL is decoded exactly once, so a `%` in a name is kept.
  const url = new URL(request.url);
  const [named, namedTrial, ...rest] = withoutBasePath(url.pathname).split("/").slice(3).map(decodeSegment);
  const attempt = url.searchParams.get("attempt");
  try {
    const item = await findQueueFile(url.searchParams);
    const [job, second] = item === null ? [named, namedTrial] : [item.jobKey, item.trialKey];
    if (job === undefined || second === undefined) return refuse(404, "The URL must name a job and a file.");
    const image = readImageRequest(url.searchParams);
    if (image !== null) {
      const wanted = item === null ? image : await uncover(item.view, image);
      return sendImage(await getStepImage({ jobKey: job, trialKey: second, attempt }, wanted));
    }
    const opened =
      rest.length === 0
        ? await openJobFile(job, second, asked)
        : await openTrialFile({ jobKey: job, trialKey: second, attempt }, rest.join("/"), asked);
    if (!opened.ok) return refuse(404, opened.issue.detail);
    const { body, shownType } = opened.value;
    if (item !== null && !isFileShown(rest.join("/"), item.hidden, shownType !== null)) {
      await body.cancel();
      return refuse(404, "This file is hidden until you save your verdict.");
    }
    // Closes the body if the client left before the answer began; once it is read, its reader cancels it.
    if (request.signal.aborted) {
      await body.cancel();
      return refuse(400, "The connection ended.");
    }
    request.signal.addEventListener(
      "abort",
      () => void (body.locked ? null : body.cancel().catch(() => undefined)),
      { once: true },
    );
    return send(opened.value, url.searchParams.get("as"));
  } catch (error) {
    if (error instanceof NotFoundError) return refuse(404, error.message);
    throw error;
  }
}

/** The trial of a queue, from `?queue=<id>&item=<n>`; null if the path names the trial. */
async function findQueueFile(search: URLSearchParams) {
  const [queue, item] = [search.get("queue"), search.get("item")];
  if (queue === null || item === null || !/^[1-9]\d{0,5}$/.test(item)) return null;
  const view = await requireQueueItem(queue, Number(item) - 1);
  const { place, hidden } = view;
  if (place === null) throw new NotFoundError("This trial is not in the open folders.");
  return { jobKey: place.jobKey, trialKey: place.key, hidden, view };
}

/** Parses `?step=12&image=0`; null for the file itself. */
function readImageRequest(search: URLSearchParams): StepImageRequest | null {
  const [step, image] = [search.get("step"), search.get("image")];
  if (step === null || image === null || !/^\d{1,4}$/.test(image)) return null;
  return { source: search.get("source"), step, nth: Number(image) };
}

function sendImage(image: Awaited<ReturnType<typeof getStepImage>>): Response {
  if (image === null) return refuse(404, "This step has no such image.");
  const [type, base64] = image;
  return new Response(Buffer.from(base64, "base64"), { headers: { ...SAFE_HEADERS, "Content-Type": type } });
}

function send({ name, sizeBytes, version, range, body, ...file }: RawFile, as: string | null): Response {
  const shownType = as === "file" ? null : (file.shownType ?? (as === "text" ? PLAIN_TEXT : null));
  const { from, to } = range === "beyond" ? NO_BYTES : (range ?? { from: 0, to: sizeBytes });
  const sent = range === "beyond" ? "*" : `${from}-${to - 1}`;
  return new Response(from === to ? null : body, {
    status: range === null ? 200 : range === "beyond" ? 416 : 206,
    headers: {
      ...SAFE_HEADERS,
      "Content-Type": shownType ?? "application/octet-stream",
      "Content-Length": String(to - from),
      "Accept-Ranges": "bytes",
      ETag: version,
      ...(range === null ? {} : { "Content-Range": `bytes ${sent}/${sizeBytes}` }),
      ...(shownType !== null ? {} : { "Content-Disposition": formatDisposition(name) }),
    },
  });
}

/** Answers like {@link GET} without the bytes, and closes the file. */
export async function HEAD(request: Request): Promise<Response> {
  const { body, status, headers } = await answer(request, { range: null, ifRange: null });
  await body?.cancel();
  return new Response(null, { status, headers });
}

function refuse(status: number, words: string): Response {
  return new Response(`${words}\n`, {
    status,
    headers: { ...SAFE_HEADERS, "Content-Type": PLAIN_TEXT },
  });
}
