import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { BARE_HEADERS, protect } from "./security-headers.ts";

/** Answers to malformed requests, by Node's error code; 400 for all others. */
const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Makes a server whose every answer has the security headers, even if Node rejects the request. See {@link protect}. */
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
  // Upgrades would bypass the guard and stay open in Next. The guard itself refuses requests without a host.
  const options = { shouldUpgradeCallback: () => false, requireHostHeader: false };
  return createServer(options, onRequest)
    .on("checkExpectation", onRequest)
    .on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const before = latest.get(socket);
      // Within an answer it would be taken for a part of that answer.
      if (!socket.writable || (before?.headersSent === true && !before.writableFinished)) socket.destroy();
      else socket.end(writeRefusal(STATUSES[error.code ?? ""] ?? "400 Bad Request"), () => socket.destroy());
    });
}

function writeRefusal(status: string): string {
  const headers = Object.entries(BARE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${headers.join("")}content-length: 0\r\nconnection: close\r\n\r\n`;
}
