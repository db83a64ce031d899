import { expect, it } from "vitest";

import { listEvents } from "@/lib/people/accounts";

import { ask, sendBytes, signIn, startDoor, startProxy } from "./door.fixture";

it("trusts only the proxy's part of X-Forwarded-For", async () => {
  const { port, store, reached, signInAs } = await startDoor();
  const proxy = await startProxy(port);
  const viewer = await signInAs("viewer", proxy);
  for (const forged of [
    "203.0.113.9",
    "203.0.113.9, 198.51.100.7",
    ["203.0.113.9", "198.51.100.7"],
    " , , ",
    ",",
    "203.0.113.9:443",
    "[2001:db8::1]:443",
    "2001:db8::1%eth0",
    "unknown",
    '"203.0.113.9"',
    "127.0.0.9,",
    "x".repeat(15_000),
  ]) {
    const headers = {
      ...{
        cookie: viewer,
        "x-forwarded-for": forged,
        "x-real-ip": "203.0.113.9",
        forwarded: "for=203.0.113.9",
      },
      "x-assay-account": encodeURIComponent(JSON.stringify({ id: "1", name: "Mallory", role: "admin" })),
      "x-assay-sender": "203.0.113.9",
    };
    expect((await ask(proxy, "/", { headers, from: "127.0.0.3" })).status, String(forged)).toBe(200);
    expect(reached.at(-1), String(forged)).toMatchObject({
      sender: "127.0.0.3",
      account: { role: "viewer" },
    });
    expect((await ask(proxy, "/accounts", { headers, from: "127.0.0.3" })).status).toBe(403);
  }
  const log = await listEvents(store, { before: null, limit: 100 });
  expect(JSON.stringify(log)).not.toMatch(/203\.0\.113|198\.51/);
});

it("answers ten tries at a password from one address, however a client names itself", async () => {
  const { port } = await startDoor();
  const proxy = await startProxy(port);
  const statuses: number[] = [];
  for (let n = 0; n < 14; n++) {
    const headers = { "x-forwarded-for": `198.51.100.${n}`, "x-real-ip": `198.51.100.${n}` };
    statuses.push((await signIn(proxy, "admin", "wrong", { headers, from: "127.0.0.4" })).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(4).fill(429)]);
  // They do not lock out others.
  expect((await signIn(proxy, "admin", "wrong", { from: "127.0.0.5" })).status).toBe(401);
});

it("accepts no host or scheme from a client without a proxy", async () => {
  const { port, reached, signInAs } = await startDoor("", false);
  const viewer = await signInAs("viewer");
  for (const [name, value] of [
    ["x-forwarded-host", "evil.example"],
    ["x-forwarded-proto", "https"],
    ["x-forwarded-for", "203.0.113.9"],
    ["x-forwarded-port", "1"],
    ["forwarded", "host=evil.example"],
  ] as const) {
    const answer = await ask(port, "/", { headers: { cookie: viewer, [name]: value } });
    expect([answer.status, ...answer.cookies.filter((one) => one.includes("Secure"))]).toEqual([200]);
    expect(reached.at(-1)?.headers).not.toHaveProperty(name);
    expect(reached.at(-1)?.sender).toBe("127.0.0.1");
  }
});

it("answers to the names that it was told alone, whichever of several values a proxy passes on", async () => {
  const { port, reached, signInAs } = await startDoor();
  const viewer = await signInAs("viewer");
  const before = reached.length;
  for (const host of [
    "evil.example",
    "evil.example, assay.example",
    "assay.example.evil.example",
    "assay.example@evil.example",
    "assay.example:80@evil.example",
    "assay.example/evil.example",
    "assay.example#evil.example",
    "assay.example\\evil.example",
    "assay.example:evil",
    "[assay.example]evil",
    "xn--assay.example",
    "assay.example\u00a0",
    ".assay.example",
    "assay.example.",
  ]) {
    const answer = await ask(port, "/", {
      headers: { cookie: viewer, "x-forwarded-host": Buffer.from(host).toString("latin1") },
    });
    expect(answer.status, host).toBe(403);
  }
  expect(reached.length).toBe(before);
});

/** A request within another one. */
const INNER = "GET /accounts?smuggled HTTP/1.1\r\nHost: assay.example\r\nX-Smuggled: 1\r\n\r\n";
const HOST = "Host: assay.example\r\n";
const size = INNER.length;
const chunk = `${size.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`;

/** Heads and bodies whose ends a proxy and a server may see in different places. */
const SHAPES: Readonly<Record<string, string>> = {
  "two lengths, the first of nothing": `Content-Length: 0\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "two lengths, the last of nothing": `Content-Length: ${size}\r\nContent-Length: 0\r\n\r\n${INNER}`,
  "two lengths in one": `Content-Length: ${size}, 0\r\n\r\n${INNER}`,
  "the same length twice": `Content-Length: ${size}\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "a length with a sign": `Content-Length: +${size}\r\n\r\n${INNER}`,
  "a length below nothing": `Content-Length: -1\r\n\r\n${INNER}`,
  "a length in hex": `Content-Length: 0x${size.toString(16)}\r\n\r\n${INNER}`,
  "a length with a point": `Content-Length: ${size}.0\r\n\r\n${INNER}`,
  "a length beyond 64 bits": `Content-Length: ${2n ** 64n + BigInt(size)}\r\n\r\n${INNER}`,
  "a folded length": `Content-Length:\r\n ${size}\r\n\r\n${INNER}`,
  "a space before the colon of a length": `Content-Length : ${size}\r\n\r\n${INNER}`,
  "chunks and a length of nothing": `Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${chunk}`,
  "a length and no chunk": `Content-Length: ${size + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${INNER}`,
  "chunks that are not last": `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${INNER}`,
  "chunks twice": `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${INNER}`,
  "chunks by another name": `Transfer-Encoding: xchunked\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "a space before the colon of chunks": `Transfer-Encoding : chunked\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "folded chunks": `Transfer-Encoding:\r\n chunked\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "chunks behind a control character": `Transfer-Encoding: \x0bchunked\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "chunks behind a bare line feed": `X: y\nTransfer-Encoding: chunked\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "chunks behind a bare carriage return": `X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${INNER}`,
  "a chunk with a bare line feed": `Transfer-Encoding: chunked\r\n\r\n0\n\n${INNER}`,
  "a chunk's extension with a bare line feed": `Transfer-Encoding: chunked\r\n\r\n2;\nxx\r\n0\r\n\r\n${INNER}`,
  "a chunk in 0x": `Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${INNER}`,
  "a chunk beyond 64 bits": `Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n${INNER}`,
  "a chunk that is longer than it says": `Transfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n${INNER}`,
  "a trailer": `Transfer-Encoding: chunked\r\n\r\n0\r\nX-Assay-Account: admin\r\nX-Forwarded-Host: evil.example\r\n\r\n`,
  "an upgrade": `Connection: upgrade\r\nUpgrade: websocket\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "an upgrade to HTTP/2": `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "an expectation": `Expect: 100-continue\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "a header with NUL": `X: a\0b\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "a header without a name": `: x\r\nContent-Length: ${size}\r\n\r\n${INNER}`,
  "a header without a colon": `Content-Length\r\n\r\n${INNER}`,
  "a body": `Content-Length: ${size}\r\n\r\n${INNER}`,
};

it("no body of a request becomes a request, in any shape, in front of another's on the same connection", async () => {
  const { port, reached, signInAs } = await startDoor();
  const admin = await signInAs("admin");
  const others = `GET /?of-another HTTP/1.1\r\n${HOST}Cookie: ${admin}\r\nConnection: close\r\n\r\n`;
  const count = { shapes: 0, answered: 0 };
  for (const method of ["POST", "GET", "HEAD", "OPTIONS"])
    for (const version of ["1.1", "1.0"])
      for (const [shape, rest] of Object.entries(SHAPES)) {
        const what = `${method} HTTP/${version} with ${shape}`;
        const from = reached.length;
        const answer = await sendBytes(port, `${method} /sign-in HTTP/${version}\r\n${HOST}${rest}${others}`);
        count.shapes++;
        if (answer.includes("HTTP/1.1 ")) count.answered++;
        for (const { url, account, headers, body } of reached.slice(from)) {
          expect(["/sign-in", "/?of-another"], what).toContain(url);
          expect(headers, what).not.toHaveProperty("x-smuggled");
          // The first request gets neither body nor rights of the other.
          if (url === "/sign-in") expect([account, body.includes(admin)], what).toEqual([null, false]);
        }
      }
  expect(count.shapes).toBe(8 * Object.keys(SHAPES).length);
  expect(count.answered).toBe(count.shapes);
  // It is still there.
  expect((await ask(port, "/", { headers: { cookie: admin } })).status).toBe(200);
});

/** Requests that are not for a path of this server, as they are sent. */
const FORMS: readonly (readonly [what: string, bytes: string])[] = [
  ["another server's address", `GET http://evil.example/accounts HTTP/1.1\r\n${HOST}\r\n`],
  ["its own whole address", `GET http://assay.example/ HTTP/1.1\r\n${HOST}\r\n`],
  ["no path", `GET accounts HTTP/1.1\r\n${HOST}\r\n`],
  ["a tunnel", `CONNECT assay.example:443 HTTP/1.1\r\n${HOST}\r\n`],
  ["HTTP/0.9", "GET /\r\n"],
  ["two spaces", `GET  / HTTP/1.1\r\n${HOST}\r\n`],
  ["a line feed in the path", `GET /\n HTTP/1.1\r\n${HOST}\r\n`],
  ["two hosts", `GET / HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`],
  ["two hosts in the other order", `GET / HTTP/1.1\r\nHost: evil.example\r\n${HOST}\r\n`],
];

it("a request in any other form reaches no page under another name or path", async () => {
  const { port, reached, signInAs } = await startDoor();
  const admin = await signInAs("admin");
  const end = `Cookie: ${admin}\r\nConnection: close\r\n\r\n`;
  for (const [what, bytes] of FORMS) {
    const from = reached.length;
    await sendBytes(port, bytes.replace(/\r\n$/, end));
    for (const { url, headers } of reached.slice(from))
      expect([url, headers.host], what).toEqual(["/", "assay.example"]);
  }
});
