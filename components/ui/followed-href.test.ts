import { expect, test } from "vitest";

import { readFollowedHref } from "./followed-href";

const HERE = "http://127.0.0.1:4680";
const CLICK = {
  button: 0,
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  defaultPrevented: false,
};

function linkTo(href: string, attributes: Readonly<Record<string, string>> = {}) {
  const { origin, pathname, search, hash } = new URL(href, HERE);
  const hasAttribute = (name: string) => name in attributes;
  return { origin, pathname, search, hash, target: attributes["target"] ?? "", hasAttribute };
}

test("a link is followed to the very place that it names", () => {
  for (const href of ["/jobs/run?tab=errors#suspects", "/jobs/a%2Fb/trials/t", "/compare?g=a%3Ab&g=c"]) {
    expect(readFollowedHref(CLICK, linkTo(href), HERE)).toBe(href);
  }
});

test("new tabs, downloads and other sites are the browser's", () => {
  const plain = linkTo("/jobs/run");
  for (const change of [{ button: 1 }, { ctrlKey: true }, { metaKey: true }, { defaultPrevented: true }]) {
    expect(readFollowedHref({ ...CLICK, ...change }, plain, HERE)).toBeNull();
  }
  for (const link of [
    linkTo("/jobs.csv", { download: "" }),
    linkTo("/jobs/run", { target: "_blank" }),
    linkTo("https://example.org/jobs/run"),
  ]) {
    expect(readFollowedHref(CLICK, link, HERE)).toBeNull();
  }
});
