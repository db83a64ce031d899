import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import { LaunchError } from "../core/domain/launch-error.ts";
import { BARE_HEADERS, protect } from "./security-headers.ts";

const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Content Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** A change has 256 KiB at most. */
const RECEIVE_MS = 30_000;
/** Per address: enough for forty browsers with six each. */
const MOST_CONNECTIONS = 256;

/** Bytes of a body that are read after its answer, and milliseconds that a longer one leaves for reading that answer. */
const LINGER_BYTES = 256 * 1024;
const LINGER_MS = 1_000;

export function createHttpServer(
  findFilesOrigin: (request: IncomingMessage) => string | null,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { isShared = false, receiveMs = RECEIVE_MS, connections = MOST_CONNECTIONS } = {},
): Server {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    latest.set(request.socket, response);
    // Node would otherwise read a rest of any length.
    response.once("prefinish", () => {
      if (!request.complete) discardRest(request);
    });
    protect(request, response, findFilesOrigin(request));
    answer(request, response);
  };
  const options = {
    // Upgrades would bypass the guard and stay open in Next.
    shouldUpgradeCallback: () => false,
    requireHostHeader: false,
    headersTimeout: receiveMs,
    requestTimeout: receiveMs,
    connectionsCheckingInterval: receiveMs / 10,
  };
  const server = createServer(options, onRequest)
    .on("checkExpectation", onRequest)
    .on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const before = latest.get(socket);
      // Within an answer it would be taken for a part of that answer.
      if (!socket.writable || (before?.headersSent === true && !before.writableFinished)) socket.destroy();
      else socket.end(writeRefusal(STATUSES[error.code ?? ""] ?? "400 Bad Request"), () => socket.destroy());
    });
  return isShared ? server : server.on("connection", limitConnections(connections, latest));
}

/** Ends a long one after a delay: ending it at once would lose the answer. */
function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  let left = LINGER_BYTES;
  request.on("data", ({ length }: Buffer) => {
    left -= length;
    if (left >= 0) return;
    request.pause();
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  });
}

function limitConnections(most: number, latest: WeakMap<Duplex, ServerResponse>): (socket: Socket) => void {
  const isIdle = (socket: Socket): boolean => latest.get(socket)?.writableFinished !== false;
  const byAddress = new Map<string, Set<Socket>>();
  return (socket) => {
    const { remoteAddress = "" } = socket;
    const open = byAddress.get(remoteAddress) ?? new Set();
    byAddress.set(remoteAddress, open.add(socket));
    socket.once("close", () => {
      open.delete(socket);
      if (open.size === 0) byAddress.delete(remoteAddress);
    });
    if (open.size <= most) return;
    const least =
      [...open].find((one) => one !== socket && !latest.has(one)) ?? [...open].find(isIdle) ?? socket;
    open.delete(least);
    least.destroy();
  };
}

function writeRefusal(status: string): string {
  const headers = Object.entries(BARE_HEADERS).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${headers.join("")}content-length: 0\r\nconnection: close\r\n\r\n`;
}

export const DEFAULT_PORT = 4680;

/** @throws LaunchError `port-taken`, `listen-failed` */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((settle, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(describeListenError(error, host, port)));
    server.listen({ port, host }, () => {
      const address = server.address();
      settle(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function describeListenError(error: NodeJS.ErrnoException, host: string, port: number): LaunchError {
  const cause = { cause: error };
  if (error.code === "EADDRINUSE") {
    const other = port === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT;
    return new LaunchError(
      "port-taken",
      `Port ${port} on ${host} is in use, perhaps by another Assay: open http://${host}:${port} to see, stop it, ` +
        `or choose another port with --port ${other}.`,
      cause,
    );
  }
  return new LaunchError("listen-failed", `Cannot listen on ${host} port ${port}: ${error.message}`, cause);
}
