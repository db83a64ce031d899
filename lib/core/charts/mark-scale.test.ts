import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { findLevel, MOST_LEVELS, prepareMarkScale } from "./mark-scale";

describe("the scale that marks are coloured by", () => {
  test("an unknown amount has no place on it, which the amount of 0 has", () => {
    const scale = prepareMarkScale([0, 0.4, null, Number.NaN, Infinity], "cost");
    expect(scale).toMatchObject({ nKnown: 2, nUnknown: 3 });
    expect(findLevel(scale, 0)).toBe(0);
    for (const unknown of [null, Number.NaN, Infinity]) expect(findLevel(scale, unknown)).toBeNull();
    const none = prepareMarkScale([null, null], "time");
    expect(none).toMatchObject({ nKnown: 0, nUnknown: 2, steps: [], range: null });
    expect(findLevel(none, null)).toBeNull();
  });

  test("rewards have steps of one width from 0 to 1, or as far as they go", () => {
    const scale = prepareMarkScale([0, 1], "reward");
    expect(scale.edges.map((edge) => Number(edge.toFixed(9)))).toEqual([0.2, 0.4, 0.6, 0.8]);
    expect([0, 0.2, 0.5, 0.8, 1].map((reward) => findLevel(scale, reward))).toEqual([0, 0, 2, 3, 4]);
    const wide = prepareMarkScale([-3, 20], "reward");
    expect(findLevel(wide, -3)).toBe(0);
    expect(findLevel(wide, 20)).toBe(wide.edges.length);
    expect(wide.range).toEqual(["-3", "20"]);
  });

  test("one dear attempt does not make all others look alike, and edges are round", () => {
    const scale = prepareMarkScale([0.012, 0.03, 0.04, 0.09, 0.11, 0.7], "cost");
    expect(scale.edges).toEqual([0.05, 0.1, 0.2, 0.5]);
    expect(scale.steps).toEqual(["up to $0.05", "up to $0.10", "up to $0.20", "up to $0.50", "over $0.50"]);
    expect(scale.range).toEqual(["$0.012", "$0.70"]);
    // Nine of ten cost up to 6: what the tenth costs does not move the steps of the others.
    const dear = prepareMarkScale([0.4, 0.7, 1, 1.2, 2, 3, 4, 4.5, 5, 6, 105], "cost");
    expect(dear.edges).toEqual([0.5, 1, 2, 5]);
    expect(findLevel(dear, 105)).toBe(4);
    const minutes = prepareMarkScale([30_000, 8 * 60_000], "time");
    expect(minutes.edges.map((edge) => edge / 60_000)).toEqual([0.5, 1, 2, 5]);
    const close = prepareMarkScale([100_000, 150_000], "tokens");
    expect(close.edges).toEqual([110_000, 120_000, 130_000, 140_000]);
  });

  test("more is never a lower step, the largest is in the last one, and each step has its words", () => {
    const amount = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), fc.constant(0));
    const measure = fc.constantFrom("reward", "cost", "time", "tokens");
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), measure, (amounts, of) => {
        const scale = prepareMarkScale(amounts, of);
        const levels = amounts.toSorted((a, b) => a - b).map((one) => findLevel(scale, one) ?? Number.NaN);
        expect(levels).toEqual(levels.toSorted((a, b) => a - b));
        expect(scale.edges.length).toBeLessThan(MOST_LEVELS);
        expect(scale.edges).toEqual([...new Set(scale.edges)].toSorted((a, b) => a - b));
        expect(scale.steps).toHaveLength(scale.edges.length + 1);
        if (of !== "reward" && Math.max(...amounts) > 0) expect(levels.at(-1)).toBe(scale.edges.length);
      }),
    );
  });
});
