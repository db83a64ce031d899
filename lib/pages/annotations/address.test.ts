import { expect, test } from "vitest";

import { listSearchValues } from "../address/address";
import { annotationsAddress, annotationsHref } from "./address";

const readBack = (href: string) => annotationsAddress.read(listSearchValues(`http://x${href}`));

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
  const defaults = annotationsAddress.read({});
  expect(annotationsHref(defaults)).toBe("/annotations");
  expect(annotationsAddress.read({ judgment: "great", standing: ["x"], page: "-2", q: ["", " "] })).toEqual(
    defaults,
  );
});

test("a new filter starts at the first page; unfolding a row stays on its page", () => {
  const params = { ...annotationsAddress.read({}), page: 4 };
  expect(readBack(annotationsHref(params, { reviewers: ["Ana"] })).page).toBe(1);
  expect(readBack(annotationsHref(params, { open: "v1" })).page).toBe(4);
});
