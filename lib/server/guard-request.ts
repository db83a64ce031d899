import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";

import { ACCOUNT_HEADER, SENDER_HEADER } from "../core/domain/account.ts";
import { LaunchError } from "../core/domain/launch-error.ts";
import { isOverTls } from "./cookies.ts";
import { isReading } from "./receive-change.ts";
import type { Refusal } from "./refusal-page.ts";

type GuardedRequest = Pick<IncomingMessage, "method" | "url" | "headers"> & {
  readonly socket: { readonly localAddress?: string | undefined };
};

export interface GuardOptions {
  readonly listensOn: string;
  readonly allowedHosts?: readonly string[];
  /** Trusts the proxy's `X-Forwarded-*` headers. */
  readonly isBehindProxy?: boolean | undefined;
}

const LOCAL_NAME = /^(?:[a-z0-9-]+\.)*localhost$/;
const HOST_NAME = /^[\w.-]+$/;
const PORT = /:\d{1,5}$/;
/** More than two dozen groups with every filter need. Next's parsing time grows with the square. */
const MOST_PARAMETERS = 400;
/** Characters of a URL. Each link that keeps the filters repeats all of them. */
const LONGEST = 12_000;
/** Next trusts these headers, which clients other than the proxy can forge. */
const FORWARDED = /^(?:x-forwarded-.*|x-real-ip|forwarded)$/;

/** Strips headers that only a proxy may set. Host names are listed, because any site could point its own name at this server. */
export function prepareGuard(options: GuardOptions): (request: GuardedRequest) => Refusal | null {
  const { listensOn, allowedHosts = [], isBehindProxy = false } = options;
  const names = new Set([listensOn, ...allowedHosts].filter((name) => !isWildcard(name)).map(normalizeName));
  const isAnswered = (name: string, { localAddress = "" }: GuardedRequest["socket"]): boolean =>
    isLoopback(name) || names.has(name) || (isIP(name) !== 0 && name === localAddress.replace("::ffff:", ""));

  return (request) => {
    const { url = "/", headers } = request;
    Reflect.deleteProperty(headers, ACCOUNT_HEADER);
    Reflect.deleteProperty(headers, SENDER_HEADER);
    if (!isBehindProxy) removeForwarded(headers);
    const host = (readFirst(headers["x-forwarded-host"]) ?? headers.host ?? "").toLowerCase();
    const own = URL.parse(`${isOverTls(request) ? "https" : "http"}://${host}`)?.origin;
    if (own === undefined || !isAnswered(normalizeName(host.replace(PORT, "")), request.socket)) {
      return refuse(403, "This host name is not allowed. Start Assay with --allow-host and this name.");
    }
    if (!isReading(request) && isFromElsewhere(headers, own))
      return refuse(
        403,
        "Only Assay's own pages can make changes. Behind a proxy with TLS, use --behind-proxy and set X-Forwarded-Proto.",
      );
    if (url.split("&").length > MOST_PARAMETERS)
      return refuse(400, `This URL has more than ${MOST_PARAMETERS} parameters. Remove some filters.`);
    if (new URL(url, "http://assay").href.length > LONGEST)
      return refuse(400, `This URL is longer than ${LONGEST} characters. Remove some filters.`);
    return null;
  };
}

/** @throws LaunchError `bad-argument` unless it is a name or address alone, for example for `*` */
export function checkHostName(name: string): string {
  if (HOST_NAME.test(name) || isIP(normalizeName(name)) !== 0) return name;
  throw new LaunchError(
    "bad-argument",
    `--allow-host takes a name or an address without a port, such as build.example, not "${name}".`,
  );
}

export function isLoopback(written: string): boolean {
  const name = normalizeName(written);
  return LOCAL_NAME.test(name) || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

export function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

function refuse(status: Refusal["status"], message: string): Refusal {
  return { status, message: `${message}\n` };
}

function normalizeName(written: string): string {
  return written.toLowerCase().replace(/^\[(.*)\]$/, "$1");
}

function removeForwarded(headers: IncomingMessage["headers"]): void {
  for (const name of Object.keys(headers)) if (FORWARDED.test(name)) Reflect.deleteProperty(headers, name);
}

/** Next uses the first value as the host. */
function readFirst(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(",")[0]?.trim() || undefined;
}

/** Browsers report the source's site, scheme and port. Other programs send nothing. */
function isFromElsewhere({ origin, "sec-fetch-site": site }: IncomingMessage["headers"], own: string) {
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  return origin !== undefined && origin !== own;
}
