import { expect, test } from "vitest";

import { annotationsHref, parseAnnotationsParams } from "./annotations";

function readBack(href: string) {
  const search: Record<string, string[]> = {};
  for (const [key, value] of new URL(href, "http://x").searchParams) (search[key] ??= []).push(value);
  return parseAnnotationsParams(search);
}

test("every filter survives the way through the address", () => {
  const params = {
    text: "a & b=c",
    judgments: ["pass", "defer"] as const,
    reviewers: ["Ana Ruiz", "Ben/Cho"],
    categories: ["Wrong, file", "50 %"],
    jobs: ["job one"],
    standings: ["disagrees", "withdrawn"] as const,
    page: 3,
    open: "5b6f0a54",
  };
  expect(readBack(annotationsHref(params))).toEqual(params);
});

test("defaults are not written, and nonsense falls back to them", () => {
  const defaults = parseAnnotationsParams({});
  expect(annotationsHref(defaults)).toBe("/annotations");
  expect(parseAnnotationsParams({ judgment: "great", standing: ["x"], page: "-2", q: ["", " "] })).toEqual(
    defaults,
  );
});

test("a new filter starts at the first page; unfolding a row stays on its page", () => {
  const params = { ...parseAnnotationsParams({}), page: 4 };
  expect(readBack(annotationsHref(params, { reviewers: ["Ana"] })).page).toBe(1);
  expect(readBack(annotationsHref(params, { open: "v1" })).page).toBe(4);
});
