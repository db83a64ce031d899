import { once } from "node:events";
import { type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";

import { prepareGuard } from "./guard-request";
import { createHttpServer } from "./http-server";
import { receiveChange } from "./receive-change";

let server: Server;

beforeAll(async () => {
  const guard = prepareGuard({ listensOn: "127.0.0.1" });
  server = createHttpServer(
    () => null,
    (request, response) => {
      response.writeHead(guard(request)?.status ?? 200).end("told");
    },
  );
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
});

afterAll(() => void server.close());

/** All that is answered to some bytes until the connection ends. */
function send(bytes: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

const HOST = "Host: localhost\r\n";

it.each([
  ["an unknown method", `PURR / HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["no HTTP at all", "hello\r\n\r\n", 400],
  ["two lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 403],
  ["an expectation", `GET / HTTP/1.1\r\n${HOST}Expect: cats\r\nConnection: close\r\n\r\n`, 200],
  ["headers without an end", `GET / HTTP/1.1\r\n${HOST}X: ${"a".repeat(20_000)}\r\n\r\n`, 431],
])("answers %s once, with the headers of every response", async (_what, bytes, status) => {
  const answer = await send(bytes);
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual([`HTTP/1.1 ${status}`]);
  const [head = ""] = answer.toLowerCase().split("\r\n\r\n");
  expect(head).toContain("\r\nx-content-type-options: nosniff");
  expect(head).toMatch(/\r\ncontent-security-policy: default-src .*frame-ancestors 'none'/);
  expect(head).toContain("\r\ncross-origin-resource-policy: same-origin");
  expect(head.includes("\r\ncache-control: no-store")).toBe(status === 400 || status === 431);
});

it("answers a broken request on a connection that was answered before", async () => {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(String(first)).toMatch(/^HTTP\/1\.1 200/);
  socket.write("PURR / HTTP/1.1\r\n\r\n");
  expect(await text(socket)).toMatch(/HTTP\/1\.1 400/);
});

it.each([
  ["localhost:4680", true],
  ["127.0.0.1", true],
  ["[::1]:4680", true],
  ["build.example:4680", false],
  ["192.0.2.7", false],
])("sends an opener policy over %s only if browsers accept it: %s", async (host, isTold) => {
  const answer = await send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(answer.toLowerCase().includes("\r\ncross-origin-opener-policy: same-origin")).toBe(isTold);
});

/** Serves with small limits until the test ends. */
async function open(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  limits: Parameters<typeof createHttpServer>[2] = {},
): Promise<number> {
  const limited = createHttpServer(() => null, answer, limits);
  await new Promise<void>((settle) => limited.listen(0, "127.0.0.1", settle));
  onTestFinished(() => {
    limited.close();
    limited.closeAllConnections();
  });
  return (limited.address() as AddressInfo).port;
}

async function connectTo(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

const hello = (_: IncomingMessage, response: ServerResponse): void => void response.end("hello");
const isOpen = (socket: Socket): boolean => !socket.destroyed && !socket.readableEnded;

it.each([
  ["headers", `GET / HTTP/1.1\r\n${HOST}X-Half: `],
  [
    "a body",
    `POST / HTTP/1.1\r\n${HOST}Next-Action: a\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n[1,`,
  ],
  ["nothing", ""],
])("ends a connection on which %s came in part", async (_, bytes) => {
  const port = await open(
    (request, response) =>
      void receiveChange(request).then(
        () => response.end(),
        () => undefined,
      ),
    { receiveMs: 100 },
  );
  const socket = await connectTo(port, bytes);
  expect(await text(socket)).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
});

it.each([
  ["a change that is too large", "POST", 413],
  ["a page with a body", "GET", 200],
  ["a change that is refused unread", "PUT", 405],
])("answers %s and reads little of it", async (_, method, status) => {
  const sockets: Socket[] = [];
  const port = await open((request, response) => {
    sockets.push(request.socket);
    if (method === "GET") hello(request, response);
    else
      void receiveChange(request).then((received) => {
        response.writeHead(received.ok ? 200 : received.refusal.status).end();
      });
  });
  // A client that ignores the response.
  const head = `${method} / HTTP/1.1\r\n${HOST}Next-Action: a1\r\nContent-Type: text/plain\r\n`;
  const socket = await connectTo(port, `${head}Content-Length: 400000000\r\n\r\n`);
  const piece = Buffer.alloc(1_000_000, "x");
  const write = (): void => {
    while (socket.writable && socket.bytesWritten < 400_000_000 && socket.write(piece)) continue;
  };
  socket.on("drain", write);
  write();
  const closed = new Promise((settle) => socket.once("close", settle));
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(String(answer)).toContain(`HTTP/1.1 ${status} `);
  socket.resume();
  await closed;
  // Socket buffers of the system add to the limit.
  expect(sockets[0]?.bytesRead).toBeLessThan(10_000_000);
});

it("answers again on a connection whose refused body came late", async () => {
  const port = await open((request, response) => {
    if (request.method === "GET") hello(request, response);
    else response.writeHead(405).end();
  });
  const socket = await connectTo(port, `PUT / HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\n`);
  expect(String(await once(socket, "data"))).toContain(" 405 ");
  socket.write(`0123456789GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
  expect(await text(socket)).toContain("hello");
});

it("keeps the newest connections of an address, and those that sent a request", async () => {
  const waiting: ServerResponse[] = [];
  const port = await open(
    (request, response) => {
      if (request.url === "/slow") waiting.push(response);
      else hello(request, response);
    },
    { connections: 5 },
  );
  const slow = await connectTo(port, `GET /slow HTTP/1.1\r\n${HOST}\r\n`);
  const kept = await connectTo(port, `GET / HTTP/1.1\r\n${HOST}\r\n`);
  await once(kept, "data");
  const idle: Socket[] = [];
  for (let n = 0; n < 20; n++) idle.push((await connectTo(port, "GET / HT")).resume());
  const fetched = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
  expect(await fetched.text()).toBe("hello");
  await vi.waitFor(() => expect(idle.filter(isOpen).length).toBeLessThanOrEqual(4));
  expect(idle.slice(-2).every(isOpen)).toBe(true);
  kept.write(`GET / HTTP/1.1\r\n${HOST}\r\n`);
  expect(String(await once(kept, "data"))).toContain("hello");
  waiting[0]?.end("late");
  expect(String(await once(slow, "data"))).toContain("late");
});

it("closes a new connection if all others are being answered", async () => {
  let nAsked = 0;
  const port = await open(() => void (nAsked += 1), { connections: 2 });
  const whole = `GET / HTTP/1.1\r\n${HOST}\r\n`;
  const answered = [await connectTo(port, whole), await connectTo(port, whole)];
  await vi.waitFor(() => expect(nAsked).toBe(2));
  const refused = connect(port, "127.0.0.1").on("error", () => undefined);
  await new Promise((settle) => refused.resume().once("close", settle));
  expect(answered.every(isOpen)).toBe(true);
});

it("does not count connections of a proxy", async () => {
  const port = await open(hello, { connections: 1, isShared: true });
  const sockets = await Promise.all(Array.from({ length: 5 }, () => connectTo(port, "GET / HT")));
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  expect(sockets.every(isOpen)).toBe(true);
});
