import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { listAddresses, PAGES } from "@/e2e/fixtures/pages";

import { helpHref, helpHrefOf } from "./address";

const DOCS = join(import.meta.dirname, "..", "..", "..", "docs");

test("every page has an existing guide, and help pages link to the list", () => {
  const own = new Set(PAGES["help"]?.("", "").concat(PAGES["help/[guide]"]?.("", "") ?? []));
  for (const address of listAddresses("job", "trial")) {
    const { pathname } = new URL(address, "http://localhost");
    const [, guide] = /^\/help\/([\w-]+)$/.exec(helpHrefOf(pathname)) ?? [];
    if (own.has(address)) expect(guide, address).toBeUndefined();
    else expect(existsSync(join(DOCS, `${guide ?? "none"}.md`)), address).toBe(true);
  }
});

test("a trial's guide is about judging it, that of its job is the tour", () => {
  expect(helpHrefOf("/jobs/a/trials/b")).toBe(helpHref("reviewing"));
  expect(helpHrefOf("/jobs/a")).toBe(helpHref("tour"));
  expect(helpHrefOf("/errors/scanners")).toBe("/help/scanners");
  expect(helpHrefOf("/errors")).toBe("/help/triage");
});
