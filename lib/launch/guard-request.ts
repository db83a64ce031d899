import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv4 } from "node:net";

/** Why a request goes no further. */
export interface Refusal {
  readonly status: 400 | 403;
  /** One sentence for whoever asked. */
  readonly message: string;
}

/**
 * What every answer says to a browser, whatever its address and status: nothing is loaded from or sent to another site, no
 * other site may frame it or read it, and no type is guessed.
 */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'self'",
    // Next starts its pages with inline scripts, and charts set inline styles.
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
};

type WriteHead = (this: ServerResponse, ...rest: unknown[]) => ServerResponse;

/** Has a response say what every answer says to a browser, but for headers that it sets itself: files are held more strictly. */
export function protect(response: ServerResponse): void {
  // Node calls it for every answer, also where nobody else does.
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its response
  response.writeHead = new Proxy(response.writeHead, {
    apply: (writeHead: WriteHead, self: ServerResponse, rest: unknown[]) => {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        if (!self.hasHeader(name)) self.setHeader(name, value);
      }
      return writeHead.apply(self, rest);
    },
  });
}

const READING_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const LOCAL_NAME = /^(?:[a-z0-9-]+\.)*localhost$/;
const PORT = /:\d{1,5}$/;

/**
 * Decides about requests before anything reads them. A loopback server answers only to loopback names: otherwise any site
 * could point a name of its own at 127.0.0.1 and read the jobs through the reader's browser. Nothing is written for a page
 * of another site, and an address that is no text is refused.
 *
 * @param listensOn - the name or address of the interface
 * @returns why a request is refused; null when it is not
 */
export function prepareGuard(
  listensOn: string,
): (request: Pick<IncomingMessage, "method" | "url" | "headers">) => Refusal | null {
  const isLocal = isLoopback(listensOn);
  return ({ method = "GET", url = "/", headers }) => {
    if (isLocal && !isLoopback(stripPort(headers.host ?? ""))) {
      return refuse(
        403,
        "Assay listens on this machine only and answers to localhost. Start it with --host to use another name.",
      );
    }
    if (!READING_METHODS.has(method) && isFromElsewhere(headers))
      return refuse(403, "Only Assay's own pages can change anything.");
    return isText(url) ? null : refuse(400, "This address is not text: its percent signs do not make UTF-8.");
  };
}

function refuse(status: Refusal["status"], message: string): Refusal {
  return { status, message: `${message}\n` };
}

/** Whether a name stands for this machine alone, written in any case. */
function isLoopback(written: string): boolean {
  const name = written.toLowerCase();
  return LOCAL_NAME.test(name) || name === "::1" || (isIPv4(name) && name.startsWith("127."));
}

function stripPort(host: string): string {
  return host.replace(PORT, "").replace(/^\[(.*)\]$/, "$1");
}

/** Whether a browser says that another site's page asks; programs that are no browser say nothing. */
function isFromElsewhere(headers: IncomingMessage["headers"]): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { origin, host } = headers;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase());
}

function isText(url: string): boolean {
  try {
    decodeURIComponent(url.split("?")[0] ?? "");
    return true;
  } catch {
    return false;
  }
}
