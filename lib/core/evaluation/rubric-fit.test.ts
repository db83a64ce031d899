import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  computeRewardChange,
  fitRubric,
  listStatedWeights,
  recomputeReward,
  type StatedDimension,
} from "./rubric-fit";
import { scoreRubric } from "./score-rubric";

function state(
  shares: Readonly<Record<string, number | null>>,
  weights: Readonly<Record<string, number>> = {},
) {
  return Object.entries(shares).map(([name, share]): StatedDimension => ({
    name,
    share,
    weight: weights[name] ?? null,
  }));
}

const THIRDS = state({ a: 1, b: 1, c: 0 });

describe("a stored reward", () => {
  test.each([
    ["is the mean with equal weights", 0.6667, THIRDS, "weighted_mean"],
    ["is the mean, written out further than the rubric does", 2 / 3, THIRDS, "weighted_mean"],
    ["is the mean, rounded to two decimals by its verifier", 0.67, THIRDS, "weighted_mean_rounded"],
    ["is the mean cut off, not rounded", 0.66, THIRDS, "other"],
    ["is near the mean, in more decimals than rounding explains", 0.6666, THIRDS, "other"],
    ["is the worst dimension", 0, THIRDS, "min"],
    ["is the worst dimension, rounded", 0.33, state({ a: 1, b: 0.3333 }), "min_rounded"],
    ["is of nothing", 1, THIRDS, "other"],
    ["is negative", -0.5, THIRDS, "other"],
    ["is all that the details say", 1, state({ a: 1, b: 1 }), "weighted_mean"],
    ["follows from stated weights", 0.9, state({ a: 1, b: 0 }, { a: 9, b: 1 }), "weighted_mean"],
    [
      "follows from equal weights, but others are stated",
      0.5,
      state({ a: 1, b: 0 }, { a: 9, b: 1 }),
      "other",
    ],
    [
      "has weights for some dimensions alone, which is no rubric",
      0.5,
      state({ a: 1, b: 0 }, { a: 9 }),
      "weighted_mean",
    ],
    ["is missing", null, THIRDS, "no_reward"],
    ["has no dimensions beside it", 0.5, [], "no_dimensions"],
    ["has a dimension without a share beside it", 0.7, state({ a: 0.5, b: null }), "no_share"],
    ["is NaN, as a NaN among the dimensions makes it", NaN, state({ a: 0.5, b: null }), "weighted_mean"],
    [
      "is the worst dimension, since a NaN behind it does not count there",
      0.5,
      state({ a: 0.5, b: null, c: 1 }),
      "min",
    ],
    ["is NaN for no reason", NaN, THIRDS, "other"],
    ["follows from weights that cancel out", 0, state({ a: 1, b: 1 }, { a: 1, b: -1 }), "weighted_mean"],
  ] as const)("%s", (_, reward, dimensions, fit) => {
    expect(fitRubric(reward, dimensions)).toBe(fit);
  });

  test("always follows when the rubric itself wrote it", () => {
    const share = fc.integer({ min: 0, max: 40 }).map((part) => part / 40);
    fc.assert(
      fc.property(fc.array(share, { minLength: 1, maxLength: 9 }), fc.boolean(), (shares, isMin) => {
        const dimensions = shares.map((value, index): StatedDimension => ({
          name: `d${index}`,
          share: value,
          weight: index,
        }));
        const rollup = isMin ? "min" : "weighted_mean";
        const reward = recomputeReward({ rollup, weights: listStatedWeights(dimensions) }, dimensions);
        expect(["weighted_mean", "min"]).toContain(fitRubric(reward, dimensions));
      }),
    );
  });
});

describe("recomputing with other weights", () => {
  const weights = new Map([
    ["a", 3],
    ["b", 1],
  ]);

  test("counts a dimension that is not stated as 0, and leaves out one that the rubric does not name", () => {
    expect(recomputeReward({ rollup: "weighted_mean", weights }, state({ a: 1 }))).toBe(0.75);
    expect(recomputeReward({ rollup: "weighted_mean", weights }, state({ a: 1, b: 1, c: 0 }))).toBe(1);
    expect(recomputeReward({ rollup: "min", weights }, state({ a: 1 }))).toBe(0);
  });

  test("is what the scorer of whole rubrics gives", () => {
    const share = fc.option(fc.double({ min: 0, max: 1, noNaN: true }));
    const weight = fc.double({ min: -2, max: 4, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(share, weight, fc.boolean()), { minLength: 1, maxLength: 8 }),
        fc.constantFrom("weighted_mean" as const, "min" as const),
        (rows, rollup) => {
          const named = rows.map(([value, w, isStated], index) => ({
            name: `d${index}`,
            value,
            w,
            isStated,
          }));
          const stated = named.filter(({ isStated }) => isStated);
          const scored = scoreRubric(
            {
              dimensions: named.map(({ name, w }) => ({ id: name, weight: w, max_score: 1 })),
              rollup_strategy: rollup,
            },
            stated.map(({ name, value }) => ({ dimension_id: name, score: value ?? NaN, max_score: 1 })),
          );
          const recomputed = recomputeReward(
            { rollup, weights: new Map(named.map(({ name, w }) => [name, w])) },
            stated.map(({ name, value }) => ({ name, share: value, weight: null })),
          );
          expect(recomputed).toBe(scored.reward);
        },
      ),
    );
  });

  test("rounds to four decimals, ties to even, as the reference does", () => {
    expect(
      recomputeReward({ rollup: "weighted_mean", weights: new Map([["a", 1]]) }, state({ a: 1 / 32 })),
    ).toBe(0.0312);
  });
});

describe("the change of a reward", () => {
  test.each([
    // A reward that its verifier wrote out in full is the rubric's own, which has four decimals.
    [2 / 3, 0.6667, 0],
    [0.66664, 0.6667, 0.6667 - 0.66664],
    [1, 0.75, -0.25],
    [0.5, Number.NaN, null],
    [Infinity, 1, null],
  ])("of %d that becomes %d is %s", (stored, recomputed, change) => {
    expect(computeRewardChange(stored, recomputed)).toBe(change);
  });
});
