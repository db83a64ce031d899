import { expect, it } from "vitest";

import { computeSaturation } from "@/lib/core/stats";

import { prepareSaturation } from "./saturation-chart";

it("draws how many different categories there were after each review, and counts new ones of the last 20", () => {
  const reviews = Array.from({ length: 40 }, (_, at) => (at === 9 ? ["a", "b"] : at === 29 ? ["c"] : ["a"]));
  const chart = prepareSaturation(computeSaturation(reviews));
  if (chart.kind !== "chart") throw new Error(chart.reason);
  expect(chart.recent).toBe("1 new category in the last 20 reviews");
  expect(chart.plane.yTicks.map(({ label }) => label)).toEqual(["0", "1", "2", "3"]);
  // One after the first review, two after the tenth, three after the thirtieth, which stay three.
  expect(chart.plane.lines[0]?.corners.map(({ at, up }) => [at * 40, up * 3].map(Math.round))).toEqual([
    [0, 0],
    [1, 1],
    [10, 2],
    [30, 3],
    [40, 3],
  ]);
});

it.each([
  [[], "there are none"],
  [[["a"]], "there is 1 review"],
  [Array.from({ length: 19 }, () => ["a"]), "there are 19 reviews"],
  [Array.from({ length: 30 }, () => []), "None of the 30 reviews has a category"],
])("draws nothing where there is too little, and says why (%#)", (reviews: string[][], words) => {
  const chart = prepareSaturation(computeSaturation(reviews));
  expect(chart).toMatchObject({ kind: "unavailable", reason: expect.stringContaining(words) as string });
});

it("keeps its first and last corner, and few between, of however many categories", () => {
  const chart = prepareSaturation(computeSaturation(Array.from({ length: 20_000 }, (_, at) => [`c${at}`])));
  if (chart.kind !== "chart") throw new Error(chart.reason);
  const corners = chart.plane.lines[0]?.corners ?? [];
  expect(corners.length).toBeLessThan(510);
  expect(corners.at(-1)).toMatchObject({ at: 1 });
});
