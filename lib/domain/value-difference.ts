/** What is left of `a` when `b` is taken away; null where one is unknown or the difference is no finite number. */
export function computeDifference(a: number | null, b: number | null): number | null {
  const difference = a === null || b === null ? Number.NaN : a - b;
  return Number.isFinite(difference) ? difference : null;
}
