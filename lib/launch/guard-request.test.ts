import { describe, expect, it } from "vitest";

import { prepareGuard } from "./guard-request.ts";

const guard = prepareGuard("127.0.0.1");

function ask(headers: Record<string, string>, method = "GET", url = "/"): number | null {
  return guard({ method, url, headers: { host: "localhost:4400", ...headers } })?.status ?? null;
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
    "",
    "127.0.0.1.nip.io",
  ])("refuses %j", (host) => expect(ask({ host })).toBe(403));

  it("refuses a request without a host", () => {
    expect(guard({ method: "GET", url: "/", headers: {} })?.status).toBe(403);
  });
});

describe("a change", () => {
  it.each([
    {},
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { origin: "http://localhost:4400" },
  ])("is let through from %j", (headers) => expect(ask(headers, "POST")).toBeNull());

  it.each([
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: "http://localhost:9999" },
    { "sec-fetch-site": "cross-site", origin: "http://localhost:4400" },
  ])("is refused from %j, and reading is not", (headers) => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) expect(ask(headers, method)).toBe(403);
    expect(ask(headers)).toBeNull();
  });
});

it("an address that is no text is refused as the asker's fault", () => {
  expect(ask({}, "GET", "/jobs/%E0%A4%A")).toBe(400);
  expect(ask({}, "GET", "/jobs/%ff")).toBe(400);
  expect(ask({}, "GET", "/jobs/caf%C3%A9?q=%ff")).toBeNull();
});

it("a server that others may reach answers to every name, and still to no other site's change", () => {
  const open = prepareGuard("0.0.0.0");
  expect(open({ method: "GET", url: "/", headers: { host: "build.example" } })).toBeNull();
  expect(
    open({ method: "POST", url: "/", headers: { host: "build.example", origin: "http://evil.example" } })
      ?.status,
  ).toBe(403);
});
