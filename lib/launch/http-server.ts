import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { BARE_HEADERS, protect } from "./security-headers.ts";

/** What is answered to what is no request, by Node's code for it; 400 to everything else. */
const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Makes a server whose every answer has the security headers, also where nothing but Node read what came in.
 *
 * @param findFilesOrigin - see {@link protect}
 */
export function createHttpServer(
  findFilesOrigin: (request: IncomingMessage) => string | null,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    latest.set(request.socket, response);
    protect(request, response, findFilesOrigin(request));
    answer(request, response);
  };
  // A connection that is to become another kind of one would go past the guard to Next, which leaves it open for good. The
  // guard refuses a request without a host itself.
  const options = { shouldUpgradeCallback: () => false, requireHostHeader: false };
  return createServer(options, onRequest)
    .on("checkExpectation", onRequest)
    .on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const before = latest.get(socket);
      // In the middle of an answer it would be taken for a part of it.
      if (!socket.writable || (before?.headersSent === true && !before.writableFinished)) socket.destroy();
      else socket.end(writeRefusal(STATUSES[error.code ?? ""] ?? "400 Bad Request"), () => socket.destroy());
    });
}

function writeRefusal(status: string): string {
  const headers = Object.entries(BARE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${headers.join("")}content-length: 0\r\nconnection: close\r\n\r\n`;
}
