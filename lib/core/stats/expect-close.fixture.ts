import { expect } from "vitest";

/** Expects ten equal digits, or 1e-10 around 0. */
export function expectClose(actual: number | null, expected: number, label: string): void {
  const found = actual ?? Number.NaN;
  const error = Math.abs(expected) < 1e-10 ? Math.abs(found - expected) : Math.abs(found / expected - 1);
  expect(error, `${label}: ${actual} against ${expected}`).toBeLessThan(1e-10);
}

/** Narrows a result to the one that was computed; fails with the reason otherwise. */
export function expectComputed<T extends { readonly kind: string }>(
  result: T,
): Exclude<T, { readonly kind: "unavailable" }> {
  expect(result).not.toMatchObject({ kind: "unavailable" });
  const isComputed = (value: T): value is Exclude<T, { readonly kind: "unavailable" }> =>
    value.kind !== "unavailable";
  if (!isComputed(result)) throw new Error("unavailable");
  return result;
}
