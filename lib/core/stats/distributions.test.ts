import { expect, test } from "vitest";

import {
  computeBetaQuantile,
  computeBinomialCdf,
  computeNormalCdf,
  computeNormalQuantile,
  computeTQuantile,
} from "./distributions";
import reference from "./reference/distributions.json";

/** The largest relative difference from values that Arb pins down to 1e-40; the last number of a row is the value. */
function findLargestError(
  rows: readonly (readonly number[])[],
  compute: (...numbers: [number, number, number]) => number,
): number {
  const errors = rows.map((row) => {
    const [first = Number.NaN, second = Number.NaN, third = Number.NaN] = row.slice(0, -1);
    return Math.abs(compute(first, second, third) / (row.at(-1) ?? Number.NaN) - 1);
  });
  return errors.every((error) => !Number.isNaN(error)) ? Math.max(...errors) : Number.NaN;
}

test("quantiles keep 12 digits from p = 1e-300 to 1 - 1e-12", () => {
  expect(reference.beta).toHaveLength(247);
  expect(reference.t).toHaveLength(210);
  expect(findLargestError(reference.beta, (p, a, b) => computeBetaQuantile(p, a, b))).toBeLessThan(1e-12);
  expect(findLargestError(reference.t, (p, df) => computeTQuantile(p, df))).toBeLessThan(1e-14);
  expect(findLargestError(reference.normal, (p) => computeNormalQuantile(p))).toBeLessThan(1e-12);
});

test("shares keep 12 digits in both tails", () => {
  expect(findLargestError(reference.normalCdf, (x) => computeNormalCdf(x))).toBeLessThan(1e-12);
  expect(reference.binomialCdf).toHaveLength(48);
  expect(
    findLargestError(reference.binomialCdf, (count, n, p) => computeBinomialCdf(count, n, p)),
  ).toBeLessThan(1e-12);
});
