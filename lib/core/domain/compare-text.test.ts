import fc from "fast-check";
import { expect, test } from "vitest";

import { compareNames } from "./compare-text";

test("names are ordered by their numbers, ignoring case", () => {
  const order = [
    "run",
    "run-2",
    "Run-3",
    "run-10",
    "run-10-b",
    "run-99999999999999999998",
    "run-99999999999999999999",
  ];
  expect(order.toReversed().sort(compareNames)).toEqual(order);
});

test("the order is total: equal only to itself, and the same both ways", () => {
  const name = fc.string({
    unit: fc.constantFrom("a", "A", "0", "1", "9", "-", "é", "\0", "\u{200B}"),
    maxLength: 6,
  });
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(compareNames(a, b) === 0).toBe(a === b);
      expect(Math.sign(compareNames(a, b))).toBe(0 - Math.sign(compareNames(b, a)));
    }),
  );
});
