import type { ServerResponse } from "node:http";

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
