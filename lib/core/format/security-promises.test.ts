import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const TEXT = readFileSync(join(ROOT, "SECURITY.md"), "utf8");

const listTests = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.(?:test|spec)\.ts)`/g)].map(([, path = ""]) => path);

it("names a test for every promise", () => {
  const [, promises = ""] = /\n## What is promised\n(.*?)\n## /s.exec(TEXT) ?? [];
  const paragraphs = promises.trim().split("\n\n");
  expect(paragraphs.length).toBeGreaterThan(8);
  for (const paragraph of paragraphs) expect(listTests(paragraph), paragraph.slice(0, 60)).not.toEqual([]);
});

it("names no test that there is not", () => {
  expect(listTests(TEXT).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
