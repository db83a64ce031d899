import { expect, it } from "vitest";

import { sameBits, ulpDistance } from "./ulp";

it("counts the doubles between two values, across zero too", () => {
  expect(ulpDistance(0.3, 0.1 + 0.2)).toBe(1);
  expect(ulpDistance(1, 1 - Number.EPSILON / 2)).toBe(1);
  expect(ulpDistance(-5e-324, 5e-324)).toBe(2);
  expect(ulpDistance(0, -0)).toBe(0);
  expect(ulpDistance(1, 2)).toBe(2 ** 52);
});

it("has no distance to what is not finite", () => {
  expect(ulpDistance(NaN, NaN)).toBe(0);
  expect(ulpDistance(Infinity, Infinity)).toBe(0);
  expect(ulpDistance(NaN, 1)).toBeNull();
  expect(ulpDistance(1, Infinity)).toBeNull();
  expect(ulpDistance(-Infinity, Infinity)).toBeNull();
});

it("tells the zeros apart and NaN not", () => {
  expect(sameBits(0, -0)).toBe(false);
  expect(sameBits(NaN, NaN)).toBe(true);
  expect(sameBits(0.3, 0.1 + 0.2)).toBe(false);
});
