import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { bundlePrograms } from "@/lib/testing/bundle.fixture";
import { itLong } from "@/lib/testing/it-long.fixture";

import { type Listed, type LyingServer, startLyingServer, writeListing } from "./lying-server.fixture";
import { openMirror, readAll, useServer } from "./mirror.fixture";
import { startMirror } from "./start-mirror";

let server: LyingServer;
beforeAll(async () => {
  server = await startLyingServer();
  useServer(server.url);
});
afterAll(() => server.close());

/** Milliseconds without a byte after which a request has failed. */
const SILENCE_MS = 500;
const RESULT = "job/t__1234567/result.json";

/** Mirrors what the server says now. */
async function mirrorOnce() {
  const opened = await openMirror("s3://team/lies", undefined, undefined, { silenceMs: SILENCE_MS });
  await opened.mirror.scan();
  await opened.mirror.fill();
  const state = { problem: opened.last()?.problem ?? null, issues: opened.issues() ?? [] };
  await opened.mirror.close();
  // Nothing but the mirror's own folder.
  expect(readdirSync(opened.dataFolder)).toEqual(["bucket-mirrors"]);
  expect(readdirSync(dirname(opened.place.base))).toHaveLength(1);
  return { ...opened, ...state };
}

const list = (objects: readonly Listed[]) => (response: ServerResponse) =>
  void response.end(writeListing(objects.map((object) => ({ ...object, key: `lies/${object.key}` }))));

/** Sends a head that promises bytes, and fewer or more than those. */
function sendBody(
  response: ServerResponse,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { etag: '"a"', ...headers }).end(body);
}

function pour(response: ServerResponse): void {
  const piece = "<a>".repeat(1 << 14);
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", write);
  write();
}

function trickle(response: ServerResponse): void {
  response.writeHead(200, { etag: '"a"' }).write(" ");
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
}

describe("a listing that lies", () => {
  test("about sizes is believed of nothing", async () => {
    const sizes = [
      "-1",
      "NaN",
      "Infinity",
      "1e400",
      "9007199254740993",
      "",
      "0x10",
      "2.5",
      "9007199254740991",
    ];
    const many = Array.from({ length: 1_100 }, (_, n) => ({
      key: `huge/${n}.log`,
      size: "9007199254740991",
    }));
    server.answers = {
      list: list([...sizes.map((size, n) => ({ key: `sizes/${n}.log`, size })), ...many, { key: RESULT }]),
      get: (response) => sendBody(response, "{}"),
    };
    const { place, problem, issues } = await mirrorOnce();
    expect(problem).toBeNull();
    expect(readFileSync(join(place.files, RESULT), "utf8")).toBe("{}");
    expect(issues.length).toBeGreaterThan(0);
    // Its numbers are kept, and do no harm the next time.
    const again = await openMirror("s3://team/lies", undefined, dirname(dirname(place.base)));
    await again.mirror.scan();
    expect(again.last()?.problem).toBeNull();
    await again.mirror.close();
  });

  test("about keys makes no file that is not below its folder", async () => {
    const keys = [
      "../out",
      "../../out",
      "a/../../out",
      "/out",
      "a\0b",
      "x".repeat(2_000),
      `${"d/".repeat(400)}f`,
      "CON:",
      ".",
    ];
    const twins = [
      "twin/Result.json",
      "twin/result.json",
      "twin/RESULT.JSON",
      "twin/é.log",
      "twin/e\u0301.log",
    ];
    server.answers = {
      list: list([...keys, ...twins, ...twins].map((key) => ({ key }))),
      get: (response, key) => sendBody(response, key.length % 2 === 0 ? "{}" : "[]"),
    };
    const { place, problem, issues } = await mirrorOnce();
    expect(problem).toBeNull();
    const here = [...readAll(place.files).keys()];
    expect(here.filter((path) => path.startsWith("twin/")).toSorted()).toEqual(twins.toSorted());
    expect(here.filter((path) => path.includes("out"))).toEqual([]);
    expect(issues.map(({ code }) => code)).toContain("object_refused");
  });

  test.each<readonly [string, (response: ServerResponse, token: string | null, n: number) => void]>([
    [
      "says the same page for ever",
      (response) => void response.end(writeListing([{ key: "lies/a.log" }], "t")),
    ],
    ["says empty pages for ever", (response, _, n) => void response.end(writeListing([], `t${n}`))],
    [
      "says the same key for ever, with new tokens",
      (response, _, n) => void response.end(writeListing([{ key: "lies/a.log" }], `t${n}`)),
    ],
    [
      "says two keys in turn, with new tokens",
      (response, _, n) => void response.end(writeListing([{ key: `lies/${n % 2}.log` }], `t${n}`)),
    ],
    [
      "says keys that are none for ever",
      (response, _, n) => void response.end(writeListing([{ key: "lies/a.log", size: -1 }], `t${n}`)),
    ],
    ["is one page without an end", pour],
    ["trickles", trickle],
    ["never comes", () => undefined],
    [
      "stops in the middle",
      (response) => void response.writeHead(200, { "content-length": "10000" }).write("<?xml"),
    ],
    ["is deeply nested", (response) => void response.end("<a>".repeat(200_000))],
    ["is text", (response) => void response.end("hello")],
    ["has an error without an end", (response) => pour(response.writeHead(403))],
    ["is an error that trickles", (response) => trickle(response)],
  ])("and %s ends with an issue that names the bucket", async (_, answer) => {
    let n = 0;
    server.answers = {
      list: (response, token) => answer(response, token, n++),
      get: (response) => sendBody(response, "{}"),
    };
    const before = process.memoryUsage().rss;
    const { problem, issues } = await mirrorOnce();
    expect(problem).toContain("s3://team/lies");
    expect(issues[0]).toMatchObject({ path: "", detail: problem });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 << 20);
  });
});

const BOMB =
  `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "${"a".repeat(1_000)}">` +
  Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY ${"bcdefghij"[n]} "${`&${"abcdefghi"[n]};`.repeat(10)}">`,
  ).join("") +
  `]><ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>&j;</Key></Contents></ListBucketResult>`;

test("an endless listing ends at its limit, also if it continues later", async () => {
  let n = 0;
  server.answers = {
    list: (response) => {
      const keys = Array.from({ length: 100 }, () => ({ key: `lies/${String(n++).padStart(6, "0")}.log` }));
      response.end(writeListing(keys, `t${n}`));
    },
  };
  const first = await openMirror("s3://team/lies", undefined, undefined, { mostListed: 1_000 });
  await first.mirror.scan();
  expect(first.issues()).toMatchObject([{ code: "bucket_unreachable", path: "" }]);
  expect(first.last()?.problem).toContain("s3://team/lies");
  await first.mirror.close();
  const nListed = n;
  const again = await openMirror("s3://team/lies", undefined, first.dataFolder, { mostListed: 1_000 });
  await again.mirror.scan();
  expect(again.last()?.problem).toContain("s3://team/lies");
  expect([nListed, n - nListed]).toEqual([1_100, 100]);
  await again.mirror.close();
});

itLong()("the process that fetches an endless listing continues", async () => {
  const folder = await bundlePrograms({ buckets: "lib/read/buckets/main.ts" });
  const dataFolder = mkdtempSync(join(tmpdir(), "mirror-"));
  server.answers = { list: pour };
  const mirror = startMirror({
    ...{ address: "s3://team/lies", dataFolder, environment: process.env },
    script: join(folder, "buckets.js"),
    onStatus: () => undefined,
  });
  await mirror.scan();
  expect(mirror.status().problem).toContain("s3://team/lies does not end");
  server.answers = { list: list([{ key: RESULT }]), get: (response) => sendBody(response, "{}") };
  await mirror.scan();
  expect(mirror.status()).toMatchObject({ problem: null, isComplete: true });
  expect(readFileSync(join(mirror.folder, RESULT), "utf8")).toBe("{}");
  await mirror.close();
});

test("entities of a listing are not expanded", async () => {
  server.answers = { list: (response) => void response.end(BOMB) };
  const before = process.memoryUsage().rss;
  const { problem, issues } = await mirrorOnce();
  expect(problem).toBeNull();
  expect(issues).toMatchObject([{ code: "object_refused", path: "" }]);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 << 20);
});

describe("a body that lies", () => {
  const size = 1_000;
  const whole = "x".repeat(size);
  const bodies: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ["is longer", (response) => sendBody(response, whole + whole)],
    ["has no end", (response) => pour(response.writeHead(200, { etag: '"a"' }))],
    ["is shorter", (response) => sendBody(response, whole.slice(1))],
    ["is empty", (response) => sendBody(response, "")],
    ["is of another version", (response) => sendBody(response, whole, { etag: '"b"' })],
    [
      "breaks off",
      (response) =>
        void response
          .writeHead(200, { etag: '"a"', "content-length": String(size) })
          .write("x", () => response.destroy()),
    ],
    [
      "stops coming",
      (response) => void response.writeHead(200, { etag: '"a"', "content-length": String(size) }).write("x"),
    ],
  ];

  test.each(bodies)("and %s is not taken, and holds nothing up", async (_, answer) => {
    const others = Array.from({ length: 40 }, (_, n) => `job/u${n}__1234567/result.json`);
    server.answers = {
      list: list([{ key: RESULT, size }, ...others.map((key) => ({ key }))]),
      get: (response, key) => (key.endsWith(RESULT) ? answer(response) : sendBody(response, "{}")),
    };
    const { place, issues } = await mirrorOnce();
    expect(issues).toMatchObject([{ code: "object_not_fetched", path: RESULT }]);
    expect(statSync(join(place.files, RESULT)).mode & 0o222).toBe(0);
    for (const key of others) expect(readFileSync(join(place.files, key), "utf8")).toBe("{}");
  });
});

test("an object that is never answered ends with an issue that names the bucket", async () => {
  server.answers = { list: list([{ key: RESULT }]), get: () => undefined };
  const { problem } = await mirrorOnce();
  expect(problem).toContain("s3://team/lies");
});

test("no other host is asked for anything, wherever the server redirects to", async () => {
  let nAsked = 0;
  const other = createServer((_, response) => {
    nAsked++;
    response.end();
  });
  await new Promise<void>((listening) => void other.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void other.close());
  const host = `127.0.0.1:${String((other.address() as AddressInfo).port)}`;
  const redirect = (status: number) => (response: ServerResponse) =>
    void response
      .writeHead(status, { location: `http://${host}/`, "x-amz-bucket-region": "evil-1" })
      .end(
        `<Error><Code>PermanentRedirect</Code><Endpoint>${host}</Endpoint><Region>${host}</Region></Error>`,
      );
  for (const status of [301, 302, 303, 307, 308]) {
    server.answers = { list: redirect(status) };
    expect((await mirrorOnce()).problem).toContain("s3://team/lies");
    server.answers = { list: list([{ key: RESULT }]), get: redirect(status) };
    const { place, issues } = await mirrorOnce();
    expect(issues.length).toBeGreaterThan(0);
    expect(existsSync(join(place.files, RESULT)) && statSync(join(place.files, RESULT)).size > 2).toBe(false);
  }
  expect(nAsked).toBe(0);
});
