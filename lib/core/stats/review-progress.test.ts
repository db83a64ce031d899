import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { computePace, computeSaturation } from "./review-progress";

describe("saturation", () => {
  test("distinct categories after each review", () => {
    expect(computeSaturation([["a", "b", "a"], [], ["b"], ["constructor", "a"]])).toEqual({
      nReviews: 4,
      nCategories: 3,
      cumulative: [2, 2, 2, 3],
      nRecent: 4,
      nNewInRecent: 3,
    });
    expect(computeSaturation([])).toMatchObject({ nReviews: 0, cumulative: [], nRecent: 0, nNewInRecent: 0 });
  });

  test("new ones in the last 20 reviews: what came up before is not new", () => {
    const before = [["a"], ["b"], ["c"], ["d"], ["e"]];
    const last = Array.from({ length: 20 }, (_, index) => (index === 0 ? ["f", "a"] : ["b"]));
    expect(computeSaturation([...before, ...last])).toMatchObject({
      nCategories: 6,
      nRecent: 20,
      nNewInRecent: 1,
    });
    expect(computeSaturation([...before, ...last, ["b"]])).toMatchObject({ nNewInRecent: 0 });
  });

  test("the curve never falls and ends at all there are", () => {
    const reviews = fc.array(fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 3 }));
    fc.assert(
      fc.property(reviews, (judgments) => {
        const { cumulative, nCategories } = computeSaturation(judgments);
        judgments.forEach((_, index) =>
          expect(cumulative[index]).toBe(new Set(judgments.slice(0, index + 1).flat()).size),
        );
        expect(cumulative.at(-1) ?? 0).toBe(nCategories);
      }),
    );
  });
});

describe("pace", () => {
  const at = (...minutes: readonly number[]) => minutes.map((minute) => 1.7e12 + minute * 60_000);

  test("the median between saves, breaks left out, times what is left", () => {
    // Intervals of 2, 4, 3, 40 and 1 minutes.
    expect(computePace(at(0, 2, 6, 9, 49, 50), 10)).toEqual({
      medianSeconds: 150,
      nIntervals: 4,
      nBreaks: 1,
      secondsLeft: 1500,
    });
  });

  test("15 minutes are no break, a second more is one", () => {
    expect(computePace(at(0, 15, 30, 45), 0)).toMatchObject({
      medianSeconds: 900,
      nBreaks: 0,
      secondsLeft: 0,
    });
    expect(computePace(at(0, 15 + 1 / 60), 1)).toMatchObject({ nIntervals: 0, nBreaks: 1 });
  });

  test("fewer than three intervals tell no pace", () => {
    const none = { medianSeconds: null, secondsLeft: null };
    expect(computePace(at(0, 1, 2), 5)).toEqual({ ...none, nIntervals: 2, nBreaks: 0 });
    expect(computePace(at(0, 1, 2, 60), 5)).toEqual({ ...none, nIntervals: 2, nBreaks: 1 });
    expect(computePace([], 5)).toEqual({ ...none, nIntervals: 0, nBreaks: 0 });
  });

  test("neither the order of saves nor a time that is none matters", () => {
    const saves = at(0, 2, 6, 9);
    expect(computePace([...saves.toReversed(), Number.NaN], 4)).toEqual(computePace(saves, 4));
  });
});
