import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";

import { ACCOUNT_HEADER, SENDER_HEADER } from "../domain/account.ts";
import { LaunchError } from "./launch-error.ts";
import { isReading } from "./receive-change.ts";
import type { Refusal } from "./refusal-page.ts";

/** What is asked of a request: the headers, and where it came in. */
export type GuardedRequest = Pick<IncomingMessage, "method" | "url" | "headers"> & {
  readonly socket: { readonly localAddress?: string | undefined };
};

export interface GuardOptions {
  /** The name or address of the interface. */
  readonly listensOn: string;
  /** Names that it answers to besides those of this machine and the address that a connection came in on. */
  readonly allowedHosts?: readonly string[];
  /** Whether a proxy of the owner stands before it, so that `X-Forwarded-*` is that proxy's word. */
  readonly isBehindProxy?: boolean | undefined;
}

const LOCAL_NAME = /^(?:[a-z0-9-]+\.)*localhost$/;
const HOST_NAME = /^[\w.-]+$/;
const PORT = /:\d{1,5}$/;
/** More than two dozen groups with every filter have; Next takes a time for them that grows with their square. */
const MOST_PARAMETERS = 400;
/** Of an address as browsers write it: each link of a page that keeps its filters has all of them. */
const LONGEST = 12_000;
/** What proxies write; from anybody else it is a forgery, and Next believes it. */
const FORWARDED = /^(?:x-forwarded-.*|x-real-ip|forwarded)$/;

/**
 * Decides about requests before anything reads them, and takes from them what only a proxy may say. Names are listed:
 * otherwise any site could point a name of its own at this server. Changes from other sites
 * and addresses that are no text or have too many parameters are refused.
 * @returns why a request is refused; null when it is not
 */
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
    if (!isAnswered(normalizeName(host.replace(PORT, "")), request.socket)) {
      return refuse(
        403,
        "Assay does not answer to this name. Start it with --allow-host and the name to use it.",
      );
    }
    if (!isReading(request) && isFromElsewhere(headers, host))
      return refuse(403, "Only Assay's own pages can make changes.");
    if (url.split("&").length > MOST_PARAMETERS)
      return refuse(
        400,
        `This address has more than ${MOST_PARAMETERS} parameters, more than any page of Assay takes. Leave some out.`,
      );
    if (!isPath(url))
      return refuse(
        400,
        "This address is not a plain path, or its percent encoding is not UTF-8. Start from Assay's first page.",
      );
    if (new URL(url, "http://assay").href.length > LONGEST)
      return refuse(400, `This address is longer than ${LONGEST} characters. Leave some filters out.`);
    return null;
  };
}

/**
 * A name to answer to as it was given. @throws LaunchError `bad-argument` for what is no name or address alone, such as `*`
 */
export function checkHostName(name: string): string {
  if (HOST_NAME.test(name) || isIP(normalizeName(name)) !== 0) return name;
  throw new LaunchError(
    "bad-argument",
    `--allow-host takes a name or an address without port, such as build.example, not "${name}".`,
  );
}

/** Whether a name stands for this machine alone, written in any case. */
export function isLoopback(written: string): boolean {
  const name = normalizeName(written);
  return LOCAL_NAME.test(name) || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

/** Whether an address stands for all interfaces, and is no name to call a server by. */
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

/** The first of a list of values, which is what Next takes for the host. */
function readFirst(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(",")[0]?.trim() || undefined;
}

/** Whether a browser says that another site's page asks; programs that are no browser say nothing. */
function isFromElsewhere(headers: IncomingMessage["headers"], host: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { origin } = headers;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);
}

/** Parts of a path that lead upwards or nowhere, in whatever way they are written. Browsers resolve them and never send one. */
const DOTS = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=[/\\]|%2f|%5c|$)/i;

/**
 * Whether an address is a path, and not all of a server or another one's address, as proxies are asked; its percent signs make
 * UTF-8; and it means one place to whoever reads it, now or once its percent signs are gone.
 */
function isPath(url: string): boolean {
  const [path = ""] = url.split(/[?#]/, 1);
  if (!url.startsWith("/") || DOTS.test(path)) return false;
  try {
    // Its result is used, since a bundler leaves out a call that only throws.
    return decodeURIComponent(path).startsWith("/");
  } catch {
    return false;
  }
}
