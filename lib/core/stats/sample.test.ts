import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { planRuns } from "../../testing/plan-runs";
import { type SampleItem, chooseDouble, drawSample } from "./sample";

const STRATA = { "orca pass": 30, "orca fail": 12, "finch pass": 2, "finch fail": 6 };
const items: SampleItem[] = Object.entries(STRATA).flatMap(([stratum, n]) =>
  Array.from({ length: n }, (_, index) => ({ key: `${stratum} ${String(index)}`, stratum, cluster: null })),
);
const sizeOf = (stratum: string, keys: readonly string[]) =>
  keys.filter((key) => key.startsWith(stratum)).length;

/** Expects each name to come up as often as its chance says, within five standard errors. */
function expectChances(draws: readonly (readonly string[])[], chances: ReadonlyMap<string, number>): void {
  const counts = new Map<string, number>();
  for (const key of draws.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const [key, chance] of chances) {
    const error = Math.sqrt(draws.length * chance * (1 - chance));
    const count = counts.get(key) ?? 0;
    expect(Math.abs(count - draws.length * chance), `${key}: ${String(count)}`).toBeLessThanOrEqual(
      5 * error,
    );
  }
  expect([...counts.keys()].every((key) => chances.has(key))).toBe(true);
}

const seeds = Array.from({ length: planRuns({ short: 4000, long: 40_000 }).numRuns }, (_, seed) => seed);
const listPairs = (keys: readonly string[]) =>
  keys.flatMap((a) => keys.filter((b) => a < b).map((b) => `${a} and ${b}`));

describe("how often a trial is drawn", () => {
  test("random: every trial as often, and every two together", () => {
    const few = items.slice(0, 10);
    const draws = seeds.map((seed) => drawSample(few, { method: "random", size: 4, seed }).keys);
    const keys = few.map(({ key }) => key).toSorted();
    expectChances(draws, new Map(keys.map((key) => [key, 4 / 10])));
    expectChances(
      draws.map((drawn) => listPairs(drawn)),
      new Map(listPairs(keys).map((pair) => [pair, (4 * 3) / (10 * 9)])),
    );
    // The first place too, so that a review that stops early has a sample.
    expectChances(
      draws.map((drawn) => drawn.slice(0, 1)),
      new Map(keys.map((key) => [key, 1 / 10])),
    );
  });

  test("stratified: as equal as sizes allow, every trial of a stratum as often", () => {
    const draws = seeds.map((seed) => drawSample(items, { method: "stratified", size: 24, seed }).keys);
    // 2 and 6 are all there are; the other 16 are 8 each.
    const nDrawn = { "orca pass": 8, "orca fail": 8, "finch pass": 2, "finch fail": 6 };
    for (const keys of draws.slice(0, 50)) {
      for (const [stratum, n] of Object.entries(nDrawn)) expect(sizeOf(stratum, keys)).toBe(n);
      // A review that stops after eight has two of each.
      for (const stratum of Object.keys(STRATA)) expect(sizeOf(stratum, keys.slice(0, 8))).toBe(2);
    }
    const chances = Object.entries(STRATA).flatMap(([stratum, n]) =>
      Array.from({ length: n }, (_, index) => [
        `${stratum} ${String(index)}`,
        (nDrawn[stratum as keyof typeof nDrawn] || 0) / n,
      ]),
    );
    expectChances(draws, new Map(chances as [string, number][]));
    expect(drawSample(items, { method: "stratified", size: 24, seed: 1 }).strata).toEqual([
      { stratum: "finch fail", nTrials: 6, nDrawn: 6 },
      { stratum: "finch pass", nTrials: 2, nDrawn: 2 },
      { stratum: "orca fail", nTrials: 12, nDrawn: 8 },
      { stratum: "orca pass", nTrials: 30, nDrawn: 8 },
    ]);
  });

  test("who gets a second review is no matter of who was drawn first", () => {
    const few = items.slice(0, 8);
    const draws = seeds.map((seed) => {
      const { keys } = drawSample(few, { method: "random", size: 8, seed });
      const chosen = new Set(chooseDouble(keys, 0.25, seed));
      return [...keys.keys()].filter((place) => chosen.has(keys[place] ?? "")).map(String);
    });
    expectChances(draws, new Map(Array.from({ length: 8 }, (_, place) => [String(place), 0.25])));
  });
});

test("planned: the requested number of each stratum, limited to its size", () => {
  const sizes = new Map([
    ["orca pass", 3],
    ["finch pass", 9],
    ["nobody", 2],
  ]);
  const found = drawSample(items, { method: "planned", sizes, seed: 3 });
  expect(Object.keys(STRATA).map((stratum) => sizeOf(stratum, found.keys))).toEqual([3, 0, 2, 0]);
  expect(found).toMatchObject({ nTrials: 50, seed: 3, generator: "xoshiro128**" });
  expect(found.strata?.map(({ nDrawn }) => nDrawn)).toEqual([0, 2, 0, 3]);
});

test("one per cluster: the largest cluster first, without trials that have none", () => {
  const clustered = ["a", "b", "b", "b", null, "a", "c", null].map((cluster, index) => ({
    key: String(index),
    stratum: "s",
    cluster,
  }));
  const members = [["1", "2", "3"], ["0", "5"], ["6"]];
  const draws = seeds.map((seed) => drawSample(clustered, { method: "one-per-cluster", size: 9, seed }).keys);
  members.forEach((ofCluster, place) =>
    expectChances(
      draws.map((keys) => keys.slice(place, place + 1)),
      new Map(ofCluster.map((key) => [key, 1 / ofCluster.length])),
    ),
  );
  // The chance of a draw depends on the cluster, so nothing is known about the rest.
  expect(drawSample(clustered, { method: "one-per-cluster", size: 2, seed: 1 })).toMatchObject({
    keys: { length: 2 },
    strata: null,
  });
});

test("all: the first ones in the given order, nothing drawn", () => {
  const found = drawSample(items, { method: "all", size: 3.9, seed: 8 });
  expect(found).toEqual({
    method: "all",
    keys: items.slice(0, 3).map(({ key }) => key),
    strata: null,
    nTrials: 50,
    seed: null,
    generator: null,
  });
  const strata = drawSample(items, { method: "all", size: 50, seed: 8 }).strata;
  expect(strata?.every(({ nTrials, nDrawn }) => nTrials === nDrawn)).toBe(true);
});

describe("every draw", () => {
  const item = fc.record({
    key: fc.string({ maxLength: 2 }),
    stratum: fc.constantFrom("a", "b", "__proto__", ""),
    cluster: fc.constantFrom("x", "constructor", null),
  });
  const method = fc.constantFrom("random", "stratified", "one-per-cluster", "all");

  test("the same from a seed, for any order of the trials; each trial once; never too many", () => {
    fc.assert(
      fc.property(
        fc.array(item, { maxLength: 40 }),
        method,
        fc.integer({ min: -1, max: 50 }),
        fc.integer(),
        (given, method, size, seed) => {
          const unique = given.filter(
            ({ key }, index) => given.findIndex((other) => other.key === key) === index,
          );
          const found = drawSample(given, { method, size, seed });
          expect(drawSample(unique, { method, size, seed })).toEqual(found);
          if (method !== "all") {
            expect(drawSample(unique.toReversed(), { method, size, seed })).toEqual(found);
          }
          const most = method === "one-per-cluster" ? 2 : unique.length;
          expect(found.keys.length).toBeLessThanOrEqual(Math.max(0, Math.min(size, most)));
          expect(new Set(found.keys).size).toBe(found.keys.length);
          if (method === "random" || method === "stratified") {
            const counts = found.strata?.map(({ nDrawn }) => nDrawn) ?? [];
            expect(counts.reduce((sum, n) => sum + n, 0)).toBe(Math.max(0, Math.min(size, unique.length)));
          }
        },
      ),
    );
  });

  test("other seeds, other draws; sizes that are no numbers draw nothing", () => {
    const draws = seeds
      .slice(0, 20)
      .map((seed) => drawSample(items, { method: "random", size: 10, seed }).keys.join());
    expect(new Set(draws).size).toBe(20);
    expect(drawSample(items, { method: "random", size: Number.NaN, seed: 1 }).keys).toEqual([]);
    expect(drawSample([], { method: "stratified", size: 5, seed: 1 })).toMatchObject({
      keys: [],
      strata: [],
    });
  });
});

test.each([
  [20, 0.2, 4],
  [3, 0.2, 1],
  [25, 0.5, 13],
  [20, 1.5, 20],
  [20, 0, 0],
  [20, Number.NaN, 0],
  [0, 0.5, 0],
])("of %d trials a share of %d is reviewed twice: %d", (n, share, expected) => {
  const keys = items.slice(0, n).map(({ key }) => key);
  const chosen = chooseDouble(keys, share, 4);
  expect(chosen).toHaveLength(expected);
  expect(chosen).toEqual(keys.filter((key) => chosen.includes(key)));
});
