import { expect, it } from "vitest";

import { pythonRepr } from "./repr";

it.each([
  [1n, "1"],
  [-(10n ** 30n), `-1${"0".repeat(30)}`],
  [true, "True"],
  [false, "False"],
  [1, "1.0"],
  [-0, "-0.0"],
  [0.1, "0.1"],
  [1e-4, "0.0001"],
  [9.999e-5, "9.999e-05"],
  [1e15, "1000000000000000.0"],
  [1e16, "1e+16"],
  [-1.5e300, "-1.5e+300"],
  [5e-324, "5e-324"],
  [NaN, "nan"],
  [Infinity, "inf"],
  [-Infinity, "-inf"],
])("writes %s as Python does", (value, expected) => {
  expect(pythonRepr(value)).toBe(expected);
});

it("refuses ints of more than 4,300 digits, the sign not counted", () => {
  expect(pythonRepr(-(10n ** 4299n))).toHaveLength(4301);
  expect(() => pythonRepr(10n ** 4300n)).toThrow(expect.objectContaining({ name: "ValueError" }));
});
