import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";

import { afterAll, beforeAll, expect, it } from "vitest";

import { prepareGuard } from "./guard-request";
import { createHttpServer } from "./http-server";

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
  ["a method that there is none of", `PURR / HTTP/1.1\r\n${HOST}\r\n`, 400],
  ["no HTTP at all", "hello\r\n\r\n", 400],
  ["two lengths", `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
  ["no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 403],
  ["an expectation", `GET / HTTP/1.1\r\n${HOST}Expect: cats\r\nConnection: close\r\n\r\n`, 200],
  ["headers without an end", `GET / HTTP/1.1\r\n${HOST}X: ${"a".repeat(20_000)}\r\n\r\n`, 431],
])("answers %s once, and says what every answer says", async (_what, bytes, status) => {
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
])(
  "tells a browser that came by %s who may keep hold of its page, only where it listens: %s",
  async (host, isTold) => {
    const answer = await send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer.toLowerCase().includes("\r\ncross-origin-opener-policy: same-origin")).toBe(isTold);
  },
);
