import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { isOverTls } from "./cookies.ts";
import { isLoopback } from "./guard-request.ts";
import { NO_FRAMES } from "./refusal-page.ts";

const POLICY = "content-security-policy";
const OPENER_POLICY = "cross-origin-opener-policy";
const NONCE_BYTES = 16;

/** What every answer says to a browser beside its policy: no other site may read it or keep hold of it, and no type is guessed. */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  [OPENER_POLICY]: "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/** The headers of an answer that has nothing to show, as Node gives them where no request could be read. */
export const BARE_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  [POLICY]: `default-src 'none'; ${NO_FRAMES}`,
  "cache-control": "no-store",
};

/** What a page may load: scripts written into this very answer, and what those load. Charts need `style` attributes. */
function writePolicy(nonce: string, filesOrigin: string | null): string {
  const files = filesOrigin === null ? "" : ` ${filesOrigin}`;
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${files}`,
    `media-src 'self'${files}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    NO_FRAMES,
  ].join("; ");
}

/**
 * Whether the browser takes a policy about who opened a page: over TLS or on its own machine. Elsewhere it logs an error.
 */
function takesOpenerPolicy({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const name = (headers["x-forwarded-host"] ?? headers.host ?? "").toString().replace(/:\d+$/, "");
  return isLoopback(name) || isOverTls({ headers });
}

type WriteHead = (this: ServerResponse, ...rest: unknown[]) => ServerResponse;

/**
 * Has a response say what every answer says to a browser. Headers that it sets itself stay, but none may be framed. The
 * request gets the same policy: Next looks there for the nonce of its scripts.
 *
 * @param filesOrigin - where its page loads raw files from besides its own origin
 */
export function protect(
  request: Pick<IncomingMessage, "headers">,
  response: ServerResponse,
  filesOrigin: string | null,
): void {
  const policy = writePolicy(randomBytes(NONCE_BYTES).toString("base64"), filesOrigin);
  request.headers[POLICY] = policy;
  // Node calls it for every answer, also where nobody else does.
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its response
  response.writeHead = new Proxy(response.writeHead, {
    apply: (writeHead: WriteHead, self: ServerResponse, rest: unknown[]) => {
      if (self.hasHeader(POLICY)) self.appendHeader(POLICY, NO_FRAMES);
      else self.setHeader(POLICY, policy);
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        if (name === OPENER_POLICY && !takesOpenerPolicy(request)) continue;
        if (!self.hasHeader(name)) self.setHeader(name, value);
      }
      return writeHead.apply(self, rest);
    },
  });
}
