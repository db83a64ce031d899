import fc from "fast-check";
import { expect, test } from "vitest";

import { drawArea, drawBars, drawTicks, LANE_HEIGHT } from "./strip-paths";

/** Heights by column, read back from the drawing. */
function readHeights(path: string): ReadonlyMap<number, number> {
  const parts = path.match(/M[\d.]+ 18v-[\d.]+/gu) ?? [];
  return new Map(
    parts.map((part) => {
      const [x = NaN, height = NaN] = part.slice(1).split(" 18v-").map(Number);
      return [Math.floor(x), height];
    }),
  );
}

const amounts = fc.array(fc.option(fc.integer({ min: 0, max: 1_000_000 })), { minLength: 1, maxLength: 60 });

test("bars are as high as the square root of their amount, and unknown amounts have none", () => {
  fc.assert(
    fc.property(amounts, (all) => {
      const heights = readHeights(drawBars(all));
      const most = Math.max(0, ...all.filter((one) => one !== null));
      for (const [at, amount] of all.entries()) {
        if (amount === null || amount === 0) expect(heights.has(at)).toBe(false);
        else expect(heights.get(at)).toBeCloseTo(Math.max(1, LANE_HEIGHT * Math.sqrt(amount / most)), 1);
      }
    }),
    { numRuns: 50 },
  );
});

test("the area is as high as its share of the largest amount", () => {
  const heights = readHeights(drawArea([0, 50, null, 200]));
  expect([...heights]).toEqual([
    [1, 4.5],
    [3, 18],
  ]);
});

test("ticks mark columns with a count", () => {
  expect(drawTicks([0, 2, 0, 1]).match(/M\d/gu)).toEqual(["M1", "M3"]);
});
