import { expect, test } from "vitest";

import { rankSimilarNames } from "./rank-similar-names";

const jobs = ["tb2-baseline", "tb2-improved", "nightly 2026", "aec-review"].map((name) => ({
  key: name,
  name,
}));

test.each([
  ["tb2-baselin", "tb2-baseline"],
  ["TB2-Improvd", "tb2-improved"],
  ["nightly", "nightly 2026"],
])("%s is near %s", (wanted, found) => {
  expect(rankSimilarNames(wanted, jobs)[0]?.name).toBe(found);
});

test("nothing is near a name that is nothing like it", () => {
  expect(rankSimilarNames("zzzzzz", jobs)).toEqual([]);
});
