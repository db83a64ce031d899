import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { LaunchError } from "../core/domain/launch-error.ts";
import { isLoopback } from "./guard-request.ts";
import type { Refusal } from "./refusal-page.ts";

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A video paused for longer must be reopened. */
const GOOD_FOR_MS = 10 * 60_000;
/** Browsers resolve it to their own machine and treat it as a separate origin. */
const LOCAL_NAME = "files.localhost";
const FOLDER = "/files/";
const RAW_FILES = "/api/artifacts/";
const PORT = /:\d{1,5}$/;
/** Safari resolves names below localhost over the network. */
const ASKS_FOR_LOCAL_NAMES = /^(?!.*Chrom(?:e|ium)\/).*\bSafari\//;

type Asked = Pick<IncomingMessage, "method" | "url" | "headers">;

export type FilesOrigin = ReturnType<typeof prepareFilesOrigin>;

/** Encrypted into a URL: expiry in milliseconds since 1970, and the authorized request. */
type Encrypted = readonly [untilMs: number, url: string, host: string, cookie: string];

/** Only servers with the same secret can write or read its URLs. `secret` is random if null; `now` is in ms since 1970. */
export function prepareFilesOrigin(options: {
  readonly basePath: string;
  readonly origin: string | null;
  readonly secret: string | null;
  readonly isBehindProxy: boolean;
  readonly now?: () => number;
}) {
  const { basePath, origin, isBehindProxy, now = Date.now } = options;
  const key = createHash("sha256")
    .update("assay files ")
    .update(options.secret ?? randomBytes(32))
    .digest();
  const name = origin === null ? LOCAL_NAME : new URL(origin).host;
  const readHost = ({ headers }: Asked): string => {
    const forwarded = isBehindProxy
      ? headers["x-forwarded-host"]?.toString().split(",")[0]?.trim()
      : undefined;
    return (forwarded ?? headers.host ?? "").toLowerCase();
  };
  const find = (request: Asked): string | null => {
    if (origin !== null) return origin;
    const host = readHost(request);
    const isLocal = !isBehindProxy && isLoopback(host.replace(PORT, ""));
    if (!isLocal || ASKS_FOR_LOCAL_NAMES.test(request.headers["user-agent"] ?? "")) return null;
    return `http://${LOCAL_NAME}${PORT.exec(host)?.[0] ?? ""}`;
  };
  const isAsked = (request: Asked): boolean => {
    const host = readHost(request);
    return host === name || (origin === null && !isBehindProxy && host.replace(PORT, "") === name);
  };
  const sendOn = (request: Asked): Refusal | null => {
    const { method, url = "/", headers } = request;
    const target = headers["sec-fetch-dest"];
    // Programs send no `Sec-Fetch-Dest`, run no scripts, and may not resolve the other name.
    if (method !== "GET" || target === undefined || target === "empty") return null;
    const files = url.startsWith(basePath + RAW_FILES) ? find(request) : null;
    if (files === null) return null;
    const encrypted = encrypt(key, [now() + GOOD_FOR_MS, url, readHost(request), headers.cookie ?? ""]);
    const address = files + basePath + FOLDER + encrypted;
    return { status: 303, message: "", headers: { Location: address, "Cache-Control": "no-store" } };
  };
  const open = (request: Asked, response: Pick<ServerResponse, "setHeader">): boolean => {
    const { method, url = "/", headers } = request;
    const start = basePath + FOLDER;
    const encrypted = url.startsWith(start) ? decrypt(key, url.slice(start.length)) : null;
    if (encrypted === null || encrypted[0] < now() || (method !== "GET" && method !== "HEAD")) return false;
    [, request.url, headers.host, headers.cookie] = encrypted;
    Reflect.deleteProperty(headers, "x-forwarded-host");
    Reflect.deleteProperty(headers, "authorization");
    // Pages of the other origin embed it; its URL is secret.
    response.setHeader("cross-origin-resource-policy", "cross-origin");
    return true;
  };
  return { find, isAsked, sendOn, open };
}

/** @throws LaunchError `bad-argument` for anything but a scheme, a name and a port */
export function checkFilesOrigin(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && given.replace(/\/$/, "") === url.origin;
  if (isOrigin) return url.origin;
  throw new LaunchError(
    "bad-argument",
    `--files-origin takes an origin such as https://files.example, not "${given}".`,
  );
}

function encrypt(key: Buffer, content: Encrypted): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  const parts = [cipher.update(JSON.stringify(content), "utf8"), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...parts]).toString("base64url");
}

function decrypt(key: Buffer, text: string): Encrypted | null {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length < IV_BYTES + TAG_BYTES) return null;
  const body = IV_BYTES + TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, body));
  try {
    const content = Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]);
    return JSON.parse(content.toString("utf8")) as Encrypted; // Only {@link encrypt} could have written it.
  } catch {
    return null;
  }
}
