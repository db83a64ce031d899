import fc from "fast-check";
import { expect, test } from "vitest";

import { formatPositions, parsePositions } from "./positions";

test.each([
  ["", []],
  ["0", [0]],
  ["0-9,12", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12]],
  ["1000,3-4", [1000, 3, 4]],
])("%j holds its positions", (text, positions) => {
  expect(formatPositions(positions)).toBe(text);
  expect(parsePositions(text)).toStrictEqual(positions);
});

test("any positions, in any order, are returned", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200)), (positions) => {
      const text = formatPositions(positions);
      expect(parsePositions(text)).toStrictEqual(positions);
    }),
  );
});
