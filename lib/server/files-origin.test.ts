import type { IncomingHttpHeaders } from "node:http";

import { expect, it } from "vitest";

import { prepareFilesOrigin } from "./files-origin";

const BROWSER = { host: "127.0.0.1:4680", "sec-fetch-dest": "image", cookie: "assay-reviewer=k" };
const FILE = "/assay/api/artifacts/job/trial/shot.png?attempt=2";

interface Asked {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
}

function ask(url: string, headers: IncomingHttpHeaders = BROWSER): Asked {
  return { method: "GET", url, headers: { ...headers } };
}

function prepare(options: Partial<Parameters<typeof prepareFilesOrigin>[0]> = {}) {
  return prepareFilesOrigin({
    basePath: "/assay",
    origin: null,
    secret: null,
    isBehindProxy: false,
    ...options,
  });
}

/** The redirect target of a request, as a browser requests it; null without a redirect. */
function follow(files: ReturnType<typeof prepare>, asked: Asked): Asked | null {
  const location = files.sendOn(asked)?.headers?.["Location"];
  if (location === undefined) return null;
  const { host, pathname } = new URL(location);
  return ask(pathname, { host, cookie: "of=others", authorization: "Bearer x" });
}

const RESPONSE = { setHeader: () => RESPONSE as never };

it("a browser is redirected to a URL of another name, which is valid for the admitted request only", () => {
  const files = prepare();
  const sent = follow(files, ask(FILE));
  if (sent === null) throw new Error("not sent on");
  expect(sent.headers.host).toBe("files.localhost:4680");
  // The URL reveals neither job nor trial, because a queue may hide them.
  expect(sent.url).not.toMatch(/job|trial|shot/);
  expect(files.isAsked(sent)).toBe(true);
  for (const wrong of [
    ask(`${sent.url.slice(0, -2)}AA`),
    ask("/assay/files/"),
    ask("/assay/"),
    ask(FILE),
    { ...sent, method: "POST" },
  ])
    expect(files.open(wrong, RESPONSE), wrong.url).toBe(false);
  expect(prepare().open({ ...sent }, RESPONSE)).toBe(false);
  expect(files.open(sent, RESPONSE)).toBe(true);
  expect(sent).toEqual({
    method: "GET",
    url: FILE,
    headers: { host: "127.0.0.1:4680", cookie: "assay-reviewer=k" },
  });
});

it("an address is good for some minutes, at every server with the same secret", () => {
  let now = 1_000_000;
  const shared = { secret: "the-secret-of-both-servers", now: () => now };
  const [one, other] = [prepare(shared), prepare(shared)];
  const sent = follow(one, ask(FILE));
  if (sent === null) throw new Error("not sent on");
  now += 5 * 60_000;
  expect(other.open({ ...sent, headers: { ...sent.headers } }, RESPONSE)).toBe(true);
  now += 60 * 60_000;
  expect(other.open(sent, RESPONSE)).toBe(false);
});

it("programs, other URLs, and pages without another origin are not redirected", () => {
  const files = prepare();
  const safari =
    "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";
  for (const headers of [
    { host: "127.0.0.1:4680" },
    { ...BROWSER, "sec-fetch-dest": "empty" },
    { ...BROWSER, host: "build.example:4680" },
    { ...BROWSER, "user-agent": safari },
  ])
    expect(follow(files, ask(FILE, headers))).toBeNull();
  expect(follow(files, ask("/assay/jobs/api/artifacts/x"))).toBeNull();
  expect(follow(prepare({ isBehindProxy: true }), ask(FILE))).toBeNull();
  const named = prepare({ isBehindProxy: true, origin: "https://files.example" });
  const proxied = { ...BROWSER, "x-forwarded-host": "assay.example" };
  expect(follow(named, ask(FILE, proxied))?.headers.host).toBe("files.example");
  expect(named.isAsked(ask("/", { host: "10.0.0.1", "x-forwarded-host": "files.example" }))).toBe(true);
});
