import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

import { isOverTls } from "./cookies.ts";
import { isLoopback } from "./guard-request.ts";
import { NO_FRAMES } from "./refusal-page.ts";

const POLICY = "content-security-policy";
const OPENER_POLICY = "cross-origin-opener-policy";
const NONCE_BYTES = 16;

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  [OPENER_POLICY]: "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

export const BARE_HEADERS: Readonly<Record<string, string>> = {
  ...SECURITY_HEADERS,
  [POLICY]: `default-src 'none'; ${NO_FRAMES}`,
  "cache-control": "no-store",
};

/** Charts need `style` attributes. */
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

/** An opener policy needs TLS or the local machine; elsewhere browsers log an error. */
function takesOpenerPolicy({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const name = (headers["x-forwarded-host"] ?? headers.host ?? "").toString().replace(/:\d+$/, "");
  return isLoopback(name) || isOverTls({ headers });
}

type WriteHead = (this: ServerResponse, ...rest: unknown[]) => ServerResponse;

/** The request gets the policy too: Next reads the nonce from it. */
export function protect(
  request: Pick<IncomingMessage, "headers">,
  response: ServerResponse,
  filesOrigin: string | null,
): void {
  const policy = writePolicy(randomBytes(NONCE_BYTES).toString("base64"), filesOrigin);
  request.headers[POLICY] = policy;
  // Node calls it for every answer, including those that no handler writes.
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
