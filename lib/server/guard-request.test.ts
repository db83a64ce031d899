import { describe, expect, it } from "vitest";

import { checkHostName, type GuardOptions, prepareGuard } from "./guard-request.ts";

const socket = { localAddress: "127.0.0.1", localPort: 4400 };

function askOf(options: GuardOptions, headers: Record<string, string>, method = "GET", url = "/") {
  return prepareGuard(options)({ method, url, headers: { host: "localhost:4400", ...headers }, socket });
}

function ask(headers: Record<string, string>, method = "GET", url = "/"): number | null {
  return askOf({ listensOn: "127.0.0.1" }, headers, method, url)?.status ?? null;
}

describe("a server of this machine", () => {
  it.each([
    "localhost",
    "LOCALHOST:80",
    "localhost:4400",
    "a.localhost",
    "127.0.0.1:4400",
    "127.1.2.3",
    "[::1]:4400",
  ])("answers to %s", (host) => expect(ask({ host })).toBeNull());

  it.each([
    "evil.example",
    "evil.com/.localhost",
    "127.999.999.999",
    "localhost.evil.example",
    "localhost:99999",
    "",
    "127.0.0.1.nip.io",
  ])("refuses %j", (host) => expect(ask({ host })).toBe(403));

  it("refuses a request without a host", () => {
    expect(prepareGuard({ listensOn: "127.0.0.1" })({ headers: {}, socket })?.status).toBe(403);
  });
});

describe("a change", () => {
  it.each([
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { origin: "http://localhost:4400" },
    { "sec-fetch-site": "same-origin", origin: "http://localhost:4400" },
    { origin: "http://localhost", host: "LOCALHOST:80" },
    { origin: "http://[::1]:4400", host: "[::1]:4400" },
  ])("is let through from %j", (headers) => expect(ask(headers, "POST")).toBeNull());

  it.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: "http://localhost:9999" },
    { "sec-fetch-site": "cross-site", origin: "http://localhost:4400" },
    { "sec-fetch-site": "same-origin", origin: "http://evil.example" },
    { origin: "https://localhost:4400" },
    { origin: "http://localhost" },
    { origin: "http://localhost.:4400" },
    { origin: "http://localhost:4400, http://evil.example" },
    { origin: "http://localhost:4400/page" },
    { origin: "" },
  ])("is refused from %j, and reading is not", (headers) => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) expect(ask(headers, method)).toBe(403);
    expect(ask(headers)).toBeNull();
  });
});

it("a URL with too many parameters is rejected before parsing", () => {
  expect(ask({}, "GET", `/?${"a=1&".repeat(4000)}`)).toBe(400);
  expect(ask({}, "POST", `/api/search?${"a&".repeat(1000)}`)).toBe(400);
  // Quotes, which browsers write with three characters.
  expect(ask({}, "GET", `/trials?agent=${'"'.repeat(6_000)}`)).toBe(400);
  const groups = Array.from({ length: 24 }, (_, n) => `g=job-${n}:agent__model__set`).join("&");
  const tasks = Array.from({ length: 200 }, (_, n) => `task=t${n}`).join("&");
  expect(ask({}, "GET", `/compare?${groups}&${tasks}&missing=exclude&tasks=own&sort=task`)).toBeNull();
});

describe("a server that others may reach", () => {
  const options = { listensOn: "0.0.0.0", allowedHosts: ["Build.example", "2001:db8::1"] };
  const outside = { localAddress: "::ffff:192.0.2.7", localPort: 4400 };
  const askOutside = (host: string) =>
    prepareGuard(options)({ method: "GET", url: "/", headers: { host }, socket: outside })?.status ?? null;

  it.each(["build.example", "BUILD.example:4400", "[2001:db8::1]:80", "192.0.2.7:4400", "localhost"])(
    "answers to %s",
    (host) => expect(askOutside(host)).toBeNull(),
  );

  it.each(["evil.example", "0.0.0.0", "192.0.2.8", "build.example.evil.example", "abuild.example", ""])(
    "refuses %j",
    (host) => expect(askOutside(host)).toBe(403),
  );

  it("answers to the name that it listens on", () => {
    expect(askOf({ listensOn: "build.example" }, { host: "build.example:1" })).toBeNull();
  });

  it.each(["*", "http://build.example", "build.example:80", "a b", ""])("has no name %j", (name) =>
    expect(() => checkHostName(name)).toThrow("--allow-host"),
  );
});

describe("headers that only a proxy may set", () => {
  const forged = {
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
    forwarded: "for=1.2.3.4",
  };

  it("is removed from requests of others", () => {
    const headers = { host: "localhost", ...forged };
    expect(prepareGuard({ listensOn: "127.0.0.1" })({ headers, socket })).toBeNull();
    expect(headers).toEqual({ host: "localhost" });
  });

  it("makes no other site's change look like one of ours", () => {
    expect(ask({ ...forged, origin: "http://evil.example" }, "POST")).toBe(403);
  });

  it("names the server behind a proxy, among the names that it answers to", () => {
    const options = { listensOn: "127.0.0.1", allowedHosts: ["assay.example"], isBehindProxy: true };
    const [overTls, plain] = ["https", "http"].map((scheme) => ({
      "x-forwarded-host": "assay.example",
      "x-forwarded-proto": scheme,
      origin: `${scheme}://assay.example`,
    }));
    const ours = { ...plain, ...overTls };
    expect(askOf(options, ours, "POST")).toBeNull();
    expect(askOf(options, { ...plain }, "POST")).toBeNull();
    // A page on plain HTTP may come from anyone on the network.
    expect(askOf(options, { ...ours, origin: "http://assay.example" }, "POST")?.status).toBe(403);
    expect(askOf(options, { ...plain, origin: "https://assay.example" }, "POST")?.status).toBe(403);
    expect(askOf(options, forged)?.status).toBe(403);
    expect(askOf(options, { ...ours, origin: "http://localhost:4400" }, "POST")?.status).toBe(403);
  });
});

it("removes the header of the admitted user from every request", () => {
  const headers: Record<string, string> = {
    host: "localhost",
    "x-assay-account": "%7B%22role%22%3A%22admin%22%7D",
  };
  expect(prepareGuard({ listensOn: "127.0.0.1" })({ method: "GET", url: "/", headers, socket })).toBeNull();
  expect(headers).toEqual({ host: "localhost" });
});
