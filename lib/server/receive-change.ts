import { IncomingMessage } from "node:http";

import type { Refusal } from "./refusal-page.ts";

/** The longest note takes half of it, even with every character escaped. */
const MOST_BYTES = 256 * 1024;
/** A review is three levels deep. */
const DEEPEST = 16;

type Received =
  | { readonly ok: true; readonly request: IncomingMessage }
  | { readonly ok: false; readonly refusal: Refusal };

const READING_METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "OPTIONS"]);

export function isReading({ method }: Pick<IncomingMessage, "method">): boolean {
  return READING_METHODS.has(method);
}

/** Lets through only short, shallow lists of plain JSON: Next takes more and answers errors with 500. @throws if the connection ends */
export async function receiveChange(request: IncomingMessage): Promise<Received> {
  const { method, headers } = request;
  if (method !== "POST" || headers["next-action"] === undefined)
    return refuse(405, "Only Assay's own pages can make changes.", { allow: "GET, HEAD" });
  if (headers["content-type"]?.startsWith("text/plain") !== true)
    return refuse(415, "The pages of Assay send text/plain.");
  const body = await readBody(request);
  if (body === null)
    return refuse(413, `A request is limited to ${MOST_BYTES.toLocaleString("en-US")} bytes.`);
  if (!isPlainList(parse(body))) return refuse(400, "The body is not a list of plain JSON values.");
  return { ok: true, request: replay(request, body) };
}

function refuse(
  status: Refusal["status"],
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Received {
  return { ok: false, refusal: { status, message: `${message}\n`, headers } };
}

/** Returns null if the body is too large; stops reading then. @throws if the connection ends */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  for await (const part of body) {
    length += part.length;
    if (length > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && isPlain(value, 0);
}

/** Text after one dollar sign is a reference or another type; pages double the sign in their own texts. */
function isPlain(value: unknown, depth: number): boolean {
  if (typeof value === "string")
    return !value.startsWith("$") || value.startsWith("$$") || value === "$undefined";
  if (typeof value !== "object" || value === null) return true;
  return depth < DEEPEST && Object.values(value).every((part) => isPlain(part, depth + 1));
}

function replay(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = request;
  const copy = new IncomingMessage(request.socket);
  Object.assign(copy, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor });
  copy.push(body);
  copy.push(null);
  copy.complete = true;
  return copy;
}
