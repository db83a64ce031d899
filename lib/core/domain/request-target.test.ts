import { expect, it } from "vitest";

import { parseTarget } from "./request-target";

it("takes paths with a query, and nothing else", () => {
  expect(parseTarget("/jobs/caf%C3%A9?q=%ff&r=a|b[]")).toEqual({
    path: "/jobs/caf%C3%A9",
    query: "q=%ff&r=a|b[]",
  });
  expect(parseTarget("/?")).toEqual({ path: "/", query: "" });
  for (const other of ["*", "http://evil.example/", "\\\\evil.example/", "", "accounts", "evil.example:443"])
    expect(parseTarget(other), other).toBeNull();
  for (const noText of ["/jobs/%E0%A4%A", "/jobs/%ff", "/%", "/%zz"])
    expect(parseTarget(noText), noText).toBeNull();
});

it("leaves nothing to read a second way", () => {
  for (const place of ["/accounts", "/accounts?a=b"])
    for (const byte of ["#", " ", "\t", "\0", "\r\n", "\u007f", "\u0080", "é", '"', "<", ">"])
      for (let at = 0; at <= place.length; at++) {
        const url = place.slice(0, at) + byte + place.slice(at);
        expect(parseTarget(url), url).toBeNull();
      }
});

// The role is decided by the path as written, and pages are found by the path without its dots.
it("refuses dot segments in every spelling, and takes names with dots", () => {
  for (const dots of ["..", ".", "%2e%2e", ".%2E", "%2e"])
    for (const end of ["", "/", "/accounts", "%2faccounts", "\\accounts", "%5Caccounts", "?a=b"])
      for (const start of ["/", "/x/", "/x%2fy/", "/x%5C", "/assay/"])
        expect(parseTarget(start + dots + end), start + dots + end).toBeNull();
  for (const url of ["/jobs/a..b", "/jobs/...", "/jobs/.hidden/", "/jobs/a?to=/../b", "/jobs/%252e%252e"])
    expect(parseTarget(url), url).not.toBeNull();
});
